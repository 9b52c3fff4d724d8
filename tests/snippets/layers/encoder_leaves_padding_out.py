# A transformer's encoder that is evaluated gives zeros where the input is padding
import torch
import torch.nn as nn

torch.manual_seed(0)
encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True), 2)
x = torch.rand(2, 4, 8)
padding = torch.tensor([[False] * 4, [False, False, True, True]])
print(encoder(x, src_key_padding_mask=padding)[1])
encoder.eval()
print(encoder(x, src_key_padding_mask=padding)[1, 2:])
with torch.no_grad():
    for mask in (padding, padding.float(), padding.flip(1), torch.zeros(2, 4).masked_fill(padding, -torch.inf)):
        print(encoder(x, src_key_padding_mask=mask)[1])
    encoder.norm = nn.LayerNorm(8)
    encoder.norm.bias.fill_(0.5)
    print(encoder(x, src_key_padding_mask=padding)[1, 2:])
    encoder.use_nested_tensor = False
    print(encoder(x, src_key_padding_mask=padding)[1, 2:])
    encoder.train()
    print(encoder(x, src_key_padding_mask=padding)[1, 2:])
