# Boxes, how far they overlap, losses of boxes, and blocks of layers
import torch
from torch import nn
from torchvision import ops
from torchvision.ops import Conv2dNormActivation, StochasticDepth, box_iou, sigmoid_focal_loss
from torchvision.ops.misc import SqueezeExcitation

torch.manual_seed(0)


def attempt(action):
    try:
        print(action())
    except Exception as error:
        print(type(error).__name__, error)


boxes = torch.tensor([[0.0, 0, 10, 10], [1, 1, 11, 12], [20, 20, 30, 30.0]])
whole = boxes.int()
for fmt in ("xyxy", "xywh", "cxcywh"):
    there = ops.box_convert(boxes, "xyxy", fmt)
    print(there, ops.box_convert(there, fmt, "xyxy").equal(boxes), box_iou(there, there, fmt), ops.box_area(there, fmt))
print(ops.box_convert(ops.box_convert(boxes, "xyxy", "xywh"), "xywh", "cxcywh"))
print(ops.generalized_box_iou(boxes, boxes), ops.distance_box_iou(boxes, boxes[:2]), ops.complete_box_iou(boxes, boxes))
print(box_iou(whole, whole), ops.box_area(whole), ops.box_area(boxes.half()), ops.generalized_box_iou(whole, whole[:1]))
print(ops.clip_boxes_to_image(boxes, (9, 25)), ops.remove_small_boxes(boxes, 10.5))
masks = torch.zeros(3, 5, 6)
masks[0, 1:3, 2:5] = masks[1, 4, 0] = 1
print(ops.masks_to_boxes(masks), ops.masks_to_boxes(torch.zeros(0, 2, 2)).shape)
for loss in (ops.generalized_box_iou_loss, ops.distance_box_iou_loss, ops.complete_box_iou_loss):
    guess = (boxes + torch.tensor([1.0, 2, 3, 2])).requires_grad_()
    loss(guess, boxes, reduction="sum").backward()
    print(loss(guess, boxes), loss(guess, boxes, "mean"), guess.grad)
scores = torch.randn(4, 3, requires_grad=True)
truth = torch.tensor([[1.0, 0, 0]] * 4)
sigmoid_focal_loss(scores, truth, reduction="sum").backward()
print(scores.grad, sigmoid_focal_loss(scores, truth, alpha=-1, gamma=0, reduction="mean"))
attempt(lambda: sigmoid_focal_loss(scores, truth, alpha=3))
attempt(lambda: sigmoid_focal_loss(scores, truth, reduction="x"))
attempt(lambda: ops.box_convert(boxes, "xyxy", "abc"))
attempt(lambda: ops.box_area(boxes, "abc"))
attempt(lambda: ops.box_iou(boxes, boxes, "abc"))
attempt(lambda: ops.stochastic_depth(boxes, 2, "row"))
attempt(lambda: ops.stochastic_depth(boxes, 0.5, "rows"))
depth = StochasticDepth(0.5, "row")
print(depth, depth(torch.ones(6, 2))[:, 0], ops.stochastic_depth(torch.ones(3, 2), 0.3, "batch"), depth.eval()(torch.ones(2)))
print(Conv2dNormActivation(3, 8), Conv2dNormActivation(3, 8, 1, norm_layer=None, activation_layer=nn.SiLU, stride=2))
print(Conv2dNormActivation(3, 8, (3, 5), dilation=2, norm_layer=lambda n: nn.GroupNorm(2, n), inplace=None).out_channels)
block = nn.Sequential(Conv2dNormActivation(3, 8, dilation=2), SqueezeExcitation(8, 2), ops.Permute([0, 2, 3, 1]))
mlp = ops.MLP(8, [6, 2], norm_layer=nn.LayerNorm, dropout=0.1)
out = mlp(block(torch.rand(2, 3, 5, 5)))
out.square().mean().backward()
print(mlp, out.shape, block[0][0].weight.grad.abs().sum())
frozen = ops.FrozenBatchNorm2d(3)
print(frozen, list(frozen.state_dict()), list(frozen.parameters()), frozen(torch.ones(1, 3, 1, 1)).flatten())
