# A character RNN on one word
import torch
import torch.nn as nn

torch.manual_seed(0)
text = "hello world"
chars = sorted(set(text))
stoi = {ch: i for i, ch in enumerate(chars)}
ids = torch.tensor([stoi[ch] for ch in text])
print(chars, ids.tolist())

class CharRNN(nn.Module):
    def __init__(self, vocab, hidden):
        super().__init__()
        self.embed = nn.Embedding(vocab, hidden)
        self.rnn = nn.GRU(hidden, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, x, h=None):
        y, h = self.rnn(self.embed(x), h)
        return self.out(y), h

net = CharRNN(len(chars), 12)
opt = torch.optim.Adam(net.parameters(), lr=0.05)
x, y = ids[:-1].unsqueeze(0), ids[1:].unsqueeze(0)
for step in range(8):
    logits, _ = net(x)
    loss = nn.functional.cross_entropy(logits.reshape(-1, len(chars)), y.reshape(-1))
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    opt.step()
    if step % 2 == 1:
        print(step, f"{loss.item():.3f}", "".join(chars[i] for i in logits.argmax(-1)[0].tolist()))
