# A collate function that pads
import torch
from torch.utils.data import DataLoader
from torch.nn.utils.rnn import pad_sequence

sentences = [[1, 2, 3], [4], [5, 6], [7, 8, 9, 10]]

def collate(batch):
    tensors = [torch.tensor(s) for s in batch]
    lengths = torch.tensor([len(t) for t in tensors])
    return pad_sequence(tensors, batch_first=True, padding_value=0), lengths

for padded, lengths in DataLoader(sentences, batch_size=2, collate_fn=collate):
    print(padded, lengths)
print(DataLoader([{"a": 1, "b": 2.0}, {"a": 3, "b": 4.0}], batch_size=2).__iter__().__next__())
