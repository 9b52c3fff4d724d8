# Normal, Categorical, Bernoulli, Uniform, Exponential: samples, densities, divergences
import torch
from torch.distributions import Normal, Categorical, Bernoulli, Uniform, Exponential, kl_divergence
import torch.distributions as D
torch.manual_seed(0)
def g(n,d=6):
    return 'None' if n is None else n.name().split('::')[-1]+('('+','.join(g(m,d-1) for m,i in n.next_functions)+')' if d else '')
mu=torch.tensor([0.5,-1.],requires_grad=True); s=torch.tensor([1.,2.],requires_grad=True)
n=Normal(mu,s); x=n.rsample(); print(x, g(x.grad_fn)); lp=n.log_prob(torch.tensor([0.,1.])); print(lp, g(lp.grad_fn)); print(n.entropy(), n, n.mean, n.stddev, n.variance)
(x.sum()+lp.sum()).backward(); print(mu.grad,s.grad)
print(n.sample((3,)), Normal(0.,1.).sample(), Normal(0,1).rsample((2,)), Normal(0.,1.).log_prob(torch.tensor(0.3)))
p=torch.tensor([.2,.3,.5],requires_grad=True); c=Categorical(p); a=c.sample(); print(a, c.log_prob(a), g(c.log_prob(a).grad_fn), c.entropy(), c)
c=Categorical(logits=torch.tensor([[1.,2.,3.],[0.,0.,1.]],requires_grad=True)); a=c.sample(); print(a,c.log_prob(a),g(c.log_prob(a).grad_fn),c.entropy(),c, c.sample((2,)), c.probs)
b=Bernoulli(torch.tensor([.3,.8],requires_grad=True)); y=b.sample(); print(y,b.log_prob(y),g(b.log_prob(y).grad_fn),b.entropy(),b)
b=Bernoulli(logits=torch.tensor([.3,.8],requires_grad=True)); y=b.sample(); print(y,b.log_prob(y),b.mean)
u=Uniform(0.,2.); print(u.sample((3,)),u.log_prob(torch.tensor(1.)),u.entropy(),u)
e=Exponential(torch.tensor([1.,3.],requires_grad=True)); print(e.rsample(),e.log_prob(torch.tensor([1.,1.])),e.entropy(), D.Laplace(0.,1.).sample((2,)))
print(kl_divergence(Normal(mu,s),Normal(0.,1.)), kl_divergence(Categorical(p),Categorical(torch.ones(3)/3)))
for f in (lambda: Normal(0.,-1.), lambda: Categorical(), lambda: Categorical(torch.tensor(1.)), lambda: Bernoulli(torch.tensor(2.)), lambda: Uniform(1.,0.)):
    try: f()
    except Exception as e: print(type(e).__name__, e)
