# Linear regression with nn.Linear, MSELoss, SGD
import torch
from torch import nn

x_train = torch.tensor([[3.3], [4.4], [5.5], [6.71], [6.93], [4.168]])
y_train = torch.tensor([[1.7], [2.76], [2.09], [3.19], [1.694], [1.573]])
torch.manual_seed(1)
model = nn.Linear(1, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
num_epochs = 25
for epoch in range(num_epochs):
    outputs = model(x_train)
    loss = criterion(outputs, y_train)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if (epoch + 1) % 5 == 0:
        print('Epoch [{}/{}], Loss: {:.4f}'.format(epoch + 1, num_epochs, loss.item()))
predicted = model(x_train).detach().numpy()
print(predicted.shape, predicted.dtype)
print(dict(model.named_parameters())["weight"])
