"""Random programs that call whatever PyTorch's parser of arguments knows, and use what they are given.

`source(seed)` is the program. Arguments are made by the type of the parameter, from tensors of many dtypes, shapes and
layouts; a few do not fit. Results are kept, read, printed and called in later statements, layers, optimizers and what
`max(0)` returns as well as tensors. `tests.record.random_calls` compares.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from engine.program.surface import RECORDED
from engine.signatures.parser import Parameter, Signature
from tests.engine import random_uses

NATIVE = Path(__file__).parents[2] / "engine" / "signatures" / "native.txt"

TENSORS = """
d = torch.tensor([[0.5, 1.0, 0.25], [0.75, 0.1, 0.6]])
n = torch.tensor([3, 1, 2], dtype=torch.int32)
h = torch.tensor([[0.5, 2.0, -1.5]], dtype=torch.half)
p = torch.tensor([[True, False, True], [False, False, True]])
u = torch.tensor([7, 0, 255], dtype=torch.uint8)
w = torch.tensor([[1 + 2j, 0.5 - 1j, 2j], [-1 + 0j, 1.5 + 0.5j, -2j]], requires_grad=True)
g = torch.tensor([0.3, 0.6, 0.9]).expand(2, 3)
l = torch.arange(24.0).reshape(4, 6)[::2, 1::2].requires_grad_()
q = torch.tensor(2)
f = torch.tensor([[2.0, 0.5, 0.1], [0.5, 1.5, 0.3], [0.1, 0.3, 1.0]], dtype=torch.float64, requires_grad=True)
j = torch.tensor([0.5 + 1j, -1j, 2 + 0j])
"""
PREAMBLE = (
    random_uses.PREAMBLE
    + TENSORS
    + """
def shown(r):
    print("callable" if callable(r) and not isinstance(r, nn.Module) else r)


def tell(r):
    if isinstance(r, torch.Tensor):
        print(r._version, r.is_contiguous(), r.is_leaf, r.output_nr, r.storage_offset(), r._is_view(), r.is_conj())
"""
)
STATEMENT = """
print("$", {shown!r})
r{number} = None
try:
    r{number} = {text}
    {showing}(r{number})
    tell(r{number})
    slopes(r{number}, {names})
except Exception as error:
    print(type(error).__name__, error)
"""
DIFFERENTIABLE = "abcvmsxyzwlf"
POOL = "aaaabbccdvvvmmsikoxyyzenhpuwwglqfj"
LIKE = {"a": "abcdglwipz", "v": "vvnouj", "m": "mmf", "f": "fm", "b": "abcd", "x": "xz", "y": "y", "w": "wa", "i": "ia"}
"""Tensors of the same shape, mostly."""

SKIPPED = re.compile(
    r"empty|rand|normal|bernoulli|poisson|dropout|multinomial|exponential_|geometric_|cauchy_|uniform_|data_ptr|"
    r"cudnn|mkldnn|miopen|quantize|fbgemm|sparse|storage|generator|numpy|fused|cuda|^_|from_file|frombuffer|record_str|"
    r"q_|int_repr|align_|refine_names|rename|dequant|qint|is_vulkan|copy$|_copy|batch_norm_|share_memory|pin_memory|"
    r"resize|set_$|ccol|crow|coalesce|values$|indices$|rnn_|lstm|gru|Stream|Event|nested|choose_q|hspmm|smm$|mul_lut|"
    r"init_|unsafe_|gcd_|chalf|item|apply_|map_|map2_|conj_physical$|slow_conv|thnn|gen_|promote|compress|xpu|ipu|hpu|"
    r"mtia|sspaddmm|_no_training|fill_diagonal|sum_to_size|sym_|dlpack|module_load|get_device|DisableTorch|mps|binomial|"
    r"svd$|lowrank|sgn|grid_sampler"
)
"""What no program draws: what two machines need not agree on (random numbers, memory that nobody wrote, signs of
singular vectors), what the engine has not, and what shows PyTorch's insides: gradients of `sgn` that are never
allocated, numbers of modes that `grid_sampler` does not look at."""
STRINGS = {
    "reduce": "'sum' 'prod' 'mean' 'amax' 'amin' 'max' 'mode'",
    "interpolation": "'linear' 'lower' 'higher' 'midpoint' 'nearest' 'cubic'",
    "padding": "'same' 'valid' 'full'",
    "approximate": "'none' 'tanh' 'erf'",
    "mode": "'reduced' 'complete' 'r' 'constant' 'reflect' 'mean'",
    "UPLO": "'L' 'U' 'l' 'X'",
    "ord": "'fro' 'nuc' 'frob'",
    "norm": "'ortho' 'forward' 'backward' 'other'",
    "rounding_mode": "'floor' 'trunc' 'round'",
    "indexing": "'ij' 'xy' 'yx'",
    "pad_mode": "'reflect' 'constant'",
    "side": "'left' 'right' 'middle'",
    "driver": "'gels' 'gelsd' 'gelsy'",
    "equation": "'ij,jk->ik' 'ij->ji' 'ij,ij->'",
    "p": "'fro' 'nuc'",
}
NUMBERS = "0.5 0.5 2 1 0.1 2.0 3 -1 0 1e-3 -0.5 float('inf') True 2j".split()
DTYPES = """torch.float64 torch.float32 torch.int64 torch.int32 torch.bool torch.complex64 torch.half torch.uint8
float int""".split()
WRONG = "None 'a' [1] 1.5 a v[0] torch.float32 (1,2) k 2 -5 100 True 1j [] [a,v] {'a':1} print o a.shape i".split()
READS = """
R.shape R.dtype R.device R.values R.indices R[0] R[1] R[-1] R[5] R['a'] len(R) list(R) tuple(R) str(R) repr(R) print(R)
type(R) type(R).__name__ R.foo R.grad R.grad_fn R.is_leaf R.requires_grad R.stride() R.size() R.size(0) R.dim() R.T
R.mT R.item() R.tolist() R.numel() R+1 R*2 R*a R@m R-R 1/R -R R==R R>0 bool(R) float(R) int(R) isinstance(R,tuple)
R.sum() R.mean() R.mean(0) R.max() R.max(0) R.max(0).values R.min(-1).indices R.view(-1) R.reshape(-1) R.squeeze()
R.unsqueeze(0) R.detach() R.clone() R.float() R.double() R.long() R.backward() R.sum().backward() R._version R.names
R.is_contiguous() R.numpy() R.detach().numpy() R.data R.T.is_contiguous() R.abs() R.exp() R.sort() R.sort(0).values
R.unbind(0) R.split(1) R.chunk(2) R.relu() R.softmax(-1) R.retain_grad() R.requires_grad_() R.register_hook(print)
R.detach_() R.zero_() R.add_(1) R.mul_(a) R.fill_(2) R.t_() R.neg_() R.exp_() R.clamp_(0,1) R[0].add_(1)
R.detach().add_(1) R.data.mul_(2) R.view(-1).add_(1) R.t().mul_(2) R.copy_(a) R.real R.imag R.conj() R.H R.count(1)
R.index(0) R._fields R._asdict() R.n_fields R.keys() R.append(1) R.sorted R.vals R.value R.index R.eigenvalues R.Q R.L
R.S R.U R.V R.sign R.logabsdet R.solution R.mode R.median R.n_sequence_fields R.__class__ R.parameters() R.weight R.bias
R.state_dict() R.train() R.training R.named_parameters R.step() R.zero_grad() R.param_groups R.children() R.in_features
R.weights R.forward R(a) R(x) R(v) R.to(torch.float64) R.to('cuda') R.cuda() R.cpu() R.eval() R.next_functions R.name()
torch.stack(R) torch.cat(R) sum(R) max(R) sorted(R) enumerate(R) zip(R,R) dict(R) set(R) R.upper() R.numel
R.is_complex() R.is_floating_point() R.element_size() R.nbytes R.ndim R.layout R.untyped_storage().nbytes()
R.itemsize R.is_signed R.to_complex() R.is_floating_point f'{R}' f'{R:.2f}' '%s'%(R,) R.output_nr R.grad_fn.name()
R.grad_fn.next_functions R.grad_fn.saved_tensors R.grad_fn._saved_self R.grad_fn._saved_dim R.grad_fn._saved_other
R.grad_fn.metadata torch.is_tensor(R) torch.ones_like(R) torch.zeros(R) torch.tensor(R) torch.as_tensor(R) R.shape[0]
R.shape[3] R.size(5) R.shape.numel() R.size()[::-1] R.shape+(1,) R.shape==(2,3) a.view(R) a+R
R.__len__() R.all() R.any() R.nonzero() R.bool() R.argmax() R.argmax(1) R.var() R.norm() R.pow(2).sum() R[R>0] R[:,0]
R[...,-1] R[None] R[k] R[[0]] R[o] R[0,0] R[0][0] R[0][0][0] R.values.sum() R.values.shape R.indices.float() R[0].shape
R.values.grad_fn R.grad_fn.foo R.values.T R.foo() R.Shape R.require_grad R.sahpe R.itme() R.dtpye R.view() R.reshape()
R.permute() R.transpose() R.squeeze(0,1) R.expand() R.repeat() R.mean('a') R.sum(3) R.max(3) R.view(7,7) R.reshape(5)
R.view(a) R.T.view(-1) R.unsqueeze(5) R.transpose(0,3) R.permute(0) R.expand(2) R.cat(a) R.stack R.matmul(a) R.dot(v)
""".split()
MODULES = """
nn.Linear(3,I) nn.Linear(3,2,bias=False) nn.Linear(N,3) nn.Linear(3,2,dtype=torch.float64) nn.Linear('3',2)
nn.Sequential(nn.Linear(3,4),nn.Tanh(),nn.Linear(4,1)) nn.Sequential([nn.Linear(3,4)]) nn.ReLU() nn.ReLU(A) nn.Tanh(1)
nn.Conv1d(4,2,I) nn.Conv2d(2,3,I,padding=I) nn.Conv2d(3,I,2,groups=I) nn.Conv2d(2,2,3,padding_mode='reflect')
nn.BatchNorm1d(3) nn.BatchNorm1d(3,affine=False) nn.BatchNorm2d(2,track_running_stats=False) nn.LayerNorm(3)
nn.LayerNorm((2,3)) nn.LayerNorm(A) nn.Embedding(3,2) nn.Embedding(I,N) nn.Embedding(3,2,padding_idx=I) nn.Dropout(N)
nn.Softmax(D) nn.Softmax() nn.LSTM(3,2) nn.GRU(3,2,num_layers=I) nn.RNN(3,2,nonlinearity='relu') nn.RNN(3,2,'sigmoid')
nn.LSTM(3,2,dropout=N) nn.LSTMCell(3,2) nn.MultiheadAttention(3,I) nn.MultiheadAttention(3,1,batch_first=True)
nn.TransformerEncoderLayer(3,I,4) nn.Flatten() nn.Flatten(D,D) nn.Identity(3)
nn.ModuleList([nn.Linear(3,1),nn.ReLU()]) nn.ModuleDict({'a':nn.Linear(3,1)}) nn.ModuleDict([1]) nn.ModuleList([1])
nn.ParameterList([A,v]) nn.ParameterDict({'a':A}) nn.Parameter(A) nn.Parameter(A,requires_grad=False) nn.Parameter(3)
nn.Bilinear(3,3,I) nn.PReLU() nn.PReLU(I,init=N) nn.MaxPool2d(I) nn.MaxPool2d(I,N) nn.AvgPool1d(I)
nn.AdaptiveAvgPool2d(S) nn.Upsample(I) nn.Upsample(scale_factor=N,mode='nearest') nn.GroupNorm(I,3) nn.GroupNorm(I,I)
nn.InstanceNorm1d(3) nn.RMSNorm(3) nn.ConvTranspose1d(4,2,I) nn.ConvTranspose2d(2,3,I,stride=I) nn.MSELoss()
nn.MSELoss(reduction='avg') nn.CrossEntropyLoss(v) nn.CrossEntropyLoss(label_smoothing=N) nn.BCELoss(weight=v)
nn.NLLLoss(ignore_index=I) nn.KLDivLoss(log_target=True) nn.HuberLoss(delta=N) nn.SmoothL1Loss(beta=N)
nn.CosineSimilarity(D) nn.PairwiseDistance(N) nn.TripletMarginLoss(N) nn.Unflatten(D,S) nn.Threshold(N,N)
nn.Hardtanh(N,N) nn.ELU(N) nn.GLU(D) nn.Softplus(N,N) nn.LeakyReLU(N) nn.ZeroPad2d(I) nn.ConstantPad1d(I,N)
nn.ReflectionPad1d(I) nn.PixelShuffle(I) nn.LazyLinear(I) nn.Module() nn.Foo(3)
""".split()
OF_MODULES = """
M(A) M(a) M(v) M(x) M(m) M(d) M(a,a) M() M(A,A) M(a.double()) M(a.sum()) M(i) M([1.0,2.0,3.0]) M(None) print(M) str(M)
M.weight M.weight.shape M.bias M.weight.grad M.foo M.training M.train() M.eval() M.train(N) M.parameters()
list(M.parameters()) len(list(M.parameters())) dict(M.named_parameters()).keys() M.state_dict() M.state_dict().keys()
M.children() list(M.named_children()) list(M.modules()) M.zero_grad() M.zero_grad(set_to_none=False) M.double()
M.half() M.float() M.to(torch.float64) M.to(A) M.to('cuda') M.cuda() M.cpu() M.requires_grad_(False) M.apply(print)
M[0] M[-1] M[5] M['a'] M[0].weight len(M) list(M) M.extra_repr() M.named_parameters M.add_module('b',nn.ReLU())
M.add_module('a.b',nn.ReLU()) M.register_buffer('s',A) M.register_buffer('weight',A) M.register_buffer('s',1)
M.register_parameter('w',nn.Parameter(A.detach())) M.register_parameter('w',A) M.load_state_dict({})
M.load_state_dict({},strict=False) M.load_state_dict({'weight':A})
M.load_state_dict({'weight':A,'bias':v,'c':s},strict=False) M.load_state_dict(M.state_dict())
M.get_parameter('weight') M.get_parameter('foo') M.get_submodule('0') M.get_submodule('foo')
M.get_buffer('running_mean') M.running_mean M.buffers() list(M.named_buffers()) M.named_modules() M.append(nn.ReLU())
M.insert(0,nn.ReLU()) M.pop(0) M.extend([nn.ReLU()]) M.forward(A) M.in_features M.out_features M.kernel_size M.stride
M.num_features M.eps M.normalized_shape M.p M.inplace M.register_forward_hook(lambda,m,i,o:None)
M.register_forward_hook(3) M.weight.data M.weight.data.fill_(N) M.weight==None setattr(M,'weight',A)
setattr(M,'weight',None) setattr(M,'q',nn.Linear(3,1)) delattr(M,'weight') delattr(M,'foo') hasattr(M,'weight')
getattr(M,'bias',None) M.type(torch.float64) M._parameters M._modules.keys() M.__class__.__name__
isinstance(M,nn.Module) M+M M(A).sum() M(a).sum().backward() M(A).mean() M(A).shape M(a)@v M(a)[0] M(a).argmax(1)
torch.optim.SGD(M.parameters(),lr=N) torch.optim.Adam(M.parameters(),N) torch.optim.SGD(M,lr=N)
torch.optim.Adam(M.parameters(),lr='a') torch.optim.SGD(M.named_parameters(),N)
nn.utils.clip_grad_norm_(M.parameters(),N) torch.optim.SGD(M.parameters(),N,momentum=N,weight_decay=N)
torch.optim.RMSprop(M.parameters(),N,alpha=N) torch.optim.AdamW(M.parameters(),N,betas=(N,N))
torch.optim.Adagrad(M.parameters(),N) torch.optim.LBFGS(M.parameters(),N)
nn.utils.parameters_to_vector(M.parameters()) nn.init.normal_(M.weight) nn.init.zeros_(M.bias)
nn.init.xavier_normal_(M.weight,N) nn.init.kaiming_uniform_(M.weight,nonlinearity='relu')
nn.init.constant_(M.weight,A) nn.init.eye_(M.weight) torch.func.functional_call(M,{},A)
torch.func.functional_call(M,{'weight':A},a) nn.DataParallel(M)
""".split()
OF_OPTIMIZERS = """
O.step() O.zero_grad() O.zero_grad(False) O.state_dict() O.param_groups O.param_groups[0].keys()
O.param_groups[0]['lr'] O.state O.defaults O.add_param_group({'params':A}) O.add_param_group({'params':[v]})
O.add_param_group([A]) print(O) O.load_state_dict({}) O.load_state_dict(O.state_dict()) O.lr O.foo
O.step(lambda:a.sum()) O.step(3) O.param_groups[1] len(O.param_groups) O.state[A]
O.add_param_group({'params':[A],'lr':N}) O.step().foo O.backward() O.parameters() O(a)
torch.optim.lr_scheduler.StepLR(O,I) torch.optim.lr_scheduler.StepLR(O) torch.optim.lr_scheduler.ExponentialLR(O,N)
torch.optim.lr_scheduler.LambdaLR(O,lambda,e:e*N) torch.optim.lr_scheduler.CosineAnnealingLR(O,I)
torch.optim.lr_scheduler.ReduceLROnPlateau(O,patience=I) torch.optim.lr_scheduler.OneCycleLR(O,N,total_steps=I)
torch.optim.lr_scheduler.MultiStepLR(O,[1,2],N) torch.optim.lr_scheduler.CyclicLR(O,N,N)
torch.optim.lr_scheduler.LinearLR(O,N,N,I) torch.optim.lr_scheduler.StepLR(3,I)
""".split()
OPTIMIZERS = """
torch.optim.SGD([A],lr=N) torch.optim.SGD([A,v],N,momentum=N) torch.optim.SGD(A,N) torch.optim.SGD([],N)
torch.optim.SGD([1],N) torch.optim.Adam([A]) torch.optim.Adam([A],N,(N,N))
torch.optim.Adam([{'params':[A]},{'params':[v],'lr':N}]) torch.optim.Adam([{'params':[A]},{'params':[A]}])
torch.optim.AdamW([A],weight_decay=N) torch.optim.RMSprop([A],N,N) torch.optim.Adagrad([A],N,lr_decay=N)
torch.optim.Adadelta([A],rho=N) torch.optim.Rprop([A],N) torch.optim.NAdam([A],N) torch.optim.RAdam([A],N)
torch.optim.Adamax([A],N) torch.optim.ASGD([A],N) torch.optim.LBFGS([A],N) torch.optim.SGD()
torch.optim.SGD([A.detach()],N) torch.optim.SGD([A*2],N) torch.optim.SGD([{'lr':N}],N) torch.optim.SGD([[A]],N)
torch.optim.SGD([A],N,nesterov=True) torch.optim.SGD([A],lr=A) torch.optim.SGD([A],rl=N) torch.optim.Sgd([A],N)
""".split()


@cache
def functions() -> list[tuple[str, str, list[Signature]]]:
    """(space, name, signatures) of what the parser knows and programs can reach."""
    found: list[tuple[str, str, list[Signature]]] = []
    space = name = ""
    spaces = {"torch": "torch", "Tensor": "torch.Tensor", "functional": "torch.nn.functional"}
    spaces |= {space: "torch." + space for space in ("linalg", "special", "fft")}
    for line in NATIVE.read_text().splitlines():
        if line.startswith("["):
            space = line[1:-1]
        elif not line.startswith((" ", "#")):
            name = line
        elif line.startswith("  (") and "|" not in line and space in spaces and name in RECORDED[spaces[space]]:
            if not SKIPPED.search(name):
                if not found or found[-1][:2] != (space, name):
                    found.append((space, name, []))
                found[-1][2].append(Signature(name + line.strip()))
    return found


class Writer:
    """The statements of one program."""

    def __init__(self, seed: int) -> None:
        self.pick = random.Random(seed)
        self.count = 0
        self.kinds: dict[str, str] = {}
        self.usual = "a"

    def tensor(self) -> str:
        chance = self.pick.random()
        if chance < 0.45:
            return self.pick.choice(LIKE.get(self.usual, self.usual))
        if chance < 0.6:
            return self.usual
        known = [name for name, kind in self.kinds.items() if kind == "t"]
        if chance < 0.75 and known:
            return self.pick.choice(known)
        return self.pick.choice(POOL)

    def filled(self, pattern: str) -> str:
        """A tensor for A, a dimension for D, an int for I, a number for N, a size for S."""

        def value(match: re.Match[str]) -> str:
            what = match.group()
            if what == "A":
                return self.tensor()
            if what == "D":
                return self.dimension()
            if what == "I":
                return self.integer()
            return self.pick.choice(NUMBERS) if what == "N" else self.size()

        text = re.sub(r"(?<![\w'.])[ADINS](?![\w'])", value, pattern)
        return text.replace("lambda,", "lambda ")

    def dimension(self) -> str:
        return self.pick.choice("0 0 0 1 1 -1 -1 -1 -2 2 3 -4".split())

    def integer(self) -> str:
        return self.pick.choice("1 1 1 2 2 2 3 3 0 4 -1".split())

    def size(self) -> str:
        return self.pick.choice("(3,2) (2,3) (2,3) (3,) (6,) (-1,) (1,3) (2,-1) () 3 2 (2,2) (1,1) [3,2] (4,2)".split())

    def argument(self, parameter: Parameter) -> str:
        """What fits a parameter, mostly."""
        pick, kind, name = self.pick, parameter.type, parameter.name
        if pick.random() < 0.03:
            return pick.choice(WRONG)
        if kind == "Tensor":
            if name in ("index", "indices", "input_lengths", "boundaries") and pick.random() < 0.7:
                return pick.choice("ikkiq")
            if name in ("mask", "condition") and pick.random() < 0.7:
                return pick.choice(["o", "p", "p", "a>0"])
            if name in ("mat1", "mat2", "vec", "mat") and pick.random() < 0.5:
                return pick.choice("mmvacf")
            return self.tensor()
        if kind in ("TensorList", "c10::List<::std::optional<Tensor>>"):
            return f"[{', '.join(self.tensor() for _ in range(pick.choice([2, 2, 2, 1, 3, 0])))}]"
        if kind in ("int64_t", "SymInt", "DeviceIndex"):
            return self.dimension() if "dim" in name or "axis" in name else self.integer()
        if kind in ("SymIntArrayRef", "IntArrayRef"):
            if name in ("dim", "dims", "source", "destination"):
                return pick.choice("0 1 -1 (0,1) (-1,) (0,) [0,1] (1,0) (0,-1) (0,0) (-2,-1) [] (0,2,1)".split())
            if name in ("size", "shape", "sizes", "normalized_shape", "output_size", "split_sizes"):
                return self.size()
            if name == "pad":
                return pick.choice("(1,1) (0,1) (1,0,0,1) (-1,2) (1,) (1,1,1,1) [2,2]".split())
            return pick.choice("1 2 (1,) (2,) (1,1) (2,1) 0 3 (0,1)".split())
        if kind == "bool":
            return pick.choice(["True", "False"])
        if kind in ("double", "Scalar", "complex"):
            return pick.choice(NUMBERS)
        if kind == "ScalarType":
            return pick.choice(DTYPES)
        if "string" in kind:
            return pick.choice(STRINGS.get(name, "'a' 'b'").split())
        if kind == "MemoryFormat":
            return pick.choice(["torch.contiguous_format", "torch.preserve_format"])
        if kind == "Device":
            return pick.choice(["'cpu'", "'cpu'", "'cuda'", "torch.device('cpu')"])
        return "None"

    def call(self) -> str:
        """A call of a native function, method or F function."""
        pick = self.pick
        space, name, signatures = pick.choice(functions())
        signature = pick.choice(signatures)
        self.usual = pick.choice(POOL)
        given: list[str] = []
        named = False
        for parameter in signature.parameters:
            if parameter.name == "out_dtype":
                continue
            if parameter.optional and (
                parameter.name in ("out", "generator", "layout", "pin_memory", "device", "names")
                or pick.random() < 0.55
            ):
                named = True
                continue
            named = named or parameter.keyword_only
            value = self.argument(parameter)
            given.append(f"{parameter.name}={value}" if named else value)
        if given and pick.random() < 0.02:
            given.pop(pick.randrange(len(given)))
        if pick.random() < 0.01:
            more = pick.choice(["3", "foo=1", "dim=0", "axis=0", "keepdim=True", "out=torch.zeros(3)"])
            known = any(text.startswith(more.partition("=")[0] + "=") for text in given)
            if not known and ("=" in more or not named):
                given.append(more)
        if space == "Tensor":
            receiver = self.tensor()
            if name.endswith("_"):
                forms = "{}.detach().clone()", "(1*{})", "{}.clone()", "{}"
                receiver = pick.choice(forms).format(receiver)
            return f"{receiver}.{name}({', '.join(given)})"
        prefix = {"torch": "torch.", "functional": "F."}.get(space, f"torch.{space}.")
        return f"{prefix}{name}({', '.join(given)})"

    def statement(self) -> tuple[str, str]:
        """An expression, and what kind of thing it is: t, module, optimizer or ?."""
        pick = self.pick
        chance = pick.random()
        modules = [name for name, kind in self.kinds.items() if kind == "m"]
        optimizers = [name for name, kind in self.kinds.items() if kind == "o"]
        if modules and chance < 0.3:
            text = self.filled(re.sub(r"(?<![\w'.])M(?!\w)", pick.choice(modules), pick.choice(OF_MODULES)))
            return text, "o" if "optim." in text else "t"
        if optimizers and chance < 0.35:
            return self.filled(re.sub(r"(?<![\w'.])O(?!\w)", pick.choice(optimizers), pick.choice(OF_OPTIMIZERS))), "o"
        if self.kinds and chance < 0.5:
            name = pick.choice(list(self.kinds))
            return self.filled(re.sub(r"(?<![\w'.])R(?!\w)", name, pick.choice(READS))), "t"
        if chance < 0.6:
            self.usual = pick.choice(POOL)
            return self.filled(pick.choice(MODULES)), "m"
        if chance < 0.63:
            self.usual = pick.choice(POOL)
            return self.filled(pick.choice(OPTIMIZERS)), "o"
        if chance < 0.78:
            text = random_uses.statement(pick)
            return text, "t"
        return self.call(), "t"

    def program(self, count: int) -> str:
        texts = []
        for number in range(count):
            text, kind = self.statement()
            texts.append(attempt(text, number, self.pick.choice(["show", "show", "show", "shown"])))
            self.kinds[f"r{number}"] = kind
        return PREAMBLE + "".join(texts)


def attempt(text: str, number: int, showing: str = "show") -> str:
    """The lines of one statement."""
    used = set(re.findall(r"(?<![\w'.])[a-z](?![\w'])", text))
    names = ", ".join(sorted(used & set(DIFFERENTIABLE)) or ["a"])
    return STATEMENT.format(text=text, shown=text, number=number, showing=showing, names=names)


def source(seed: int) -> str:
    """The program of a seed: six statements."""
    return Writer(seed).program(6)


FOUND = Path(__file__).parent / "data" / "found.txt"
"""Statements that printed something else once, each after a `$`, and what torch prints."""


def found() -> list[list[str]]:
    """The statements of the table, in groups for one program each."""
    texts = [line[2:] for line in FOUND.read_text().splitlines() if line.startswith("$ ")]
    return [texts[start : start + 40] for start in range(0, len(texts), 40)]


def program_of(texts: Iterable[str]) -> str:
    """A program of given statements."""
    return PREAMBLE + "".join(attempt(text, number) for number, text in enumerate(texts))
