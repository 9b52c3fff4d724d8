"""Layers, losses and pools given other dtypes and dimensions than they take: what is said first."""

import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F

warnings.simplefilter("ignore")
torch.manual_seed(0)
c = torch.rand(2, 3)
a = torch.rand(2, 3, requires_grad=True)
i = torch.tensor([[2, 0, 1], [1, 1, 0]])
k = torch.tensor([1, 0])
o = torch.tensor([True, False, True])
w = torch.ones(3, requires_grad=True)
x4 = torch.rand(1, 2, 6, 4)


def attempt(text, call):
    try:
        result = call()
    except Exception as error:
        result = f"{type(error).__name__}: {error}"
    if isinstance(result, torch.Tensor):
        result = (result.dtype, tuple(result.shape))
    print(text, "->", result)


attempt("F.pairwise_distance(i, i)", lambda: F.pairwise_distance(i, i))
attempt("F.triplet_margin_loss(i, i, i)", lambda: F.triplet_margin_loss(i, i, i))
attempt("F.cosine_embedding_loss(i, i, k)", lambda: F.cosine_embedding_loss(i, i, k))
attempt("F.cosine_embedding_loss(c, i, k)", lambda: F.cosine_embedding_loss(c, i, k))
attempt("F.margin_ranking_loss(i, i, i, margin=0.5)", lambda: F.margin_ranking_loss(i, i, i, margin=0.5))
attempt("F.poisson_nll_loss(i, i, log_input=False)", lambda: F.poisson_nll_loss(i, i, log_input=False))
attempt("F.soft_margin_loss(i, i)", lambda: F.soft_margin_loss(i, i))
attempt("F.dropout(i, 0.5)", lambda: F.dropout(i, 0.5))
attempt("F.dropout(c.bool(), 0.5)", lambda: F.dropout(c.bool(), 0.5))
attempt("F.dropout(i, 0.5, inplace=True)", lambda: F.dropout(i, 0.5, inplace=True))
attempt("F.alpha_dropout(i, 0.5, True)", lambda: F.alpha_dropout(i, 0.5, True))
attempt("F.dropout2d(i[None], 0.5)", lambda: F.dropout2d(i[None], 0.5))
attempt("F.feature_alpha_dropout(i, 0.5, True)", lambda: F.feature_alpha_dropout(i, 0.5, True))
attempt("F.avg_pool2d(c, 2)", lambda: F.avg_pool2d(c, 2))
attempt("F.avg_pool2d(c[0], 2)", lambda: F.avg_pool2d(c[0], 2))
attempt("F.avg_pool2d(c[None,None,None], 2)", lambda: F.avg_pool2d(c[None, None, None], 2))
attempt("F.avg_pool2d(torch.tensor(1.), 2)", lambda: F.avg_pool2d(torch.tensor(1.0), 2))
attempt("F.adaptive_avg_pool2d(c, 1)", lambda: F.adaptive_avg_pool2d(c, 1))
attempt("F.adaptive_avg_pool2d(c[0], 1)", lambda: F.adaptive_avg_pool2d(c[0], 1))
attempt("F.adaptive_avg_pool2d(torch.tensor(1.), 1)", lambda: F.adaptive_avg_pool2d(torch.tensor(1.0), 1))
attempt("F.adaptive_avg_pool3d(c, 1)", lambda: F.adaptive_avg_pool3d(c, 1))
attempt("F.lp_pool2d(c, 2, 2)", lambda: F.lp_pool2d(c, 2, 2))
attempt("F.max_pool1d(i, 2)", lambda: F.max_pool1d(i, 2))
attempt("F.adaptive_max_pool1d(i, 2)[0]", lambda: F.adaptive_max_pool1d(i, 2)[0])
attempt("F.group_norm(c, -1)", lambda: F.group_norm(c, -1))
attempt("F.group_norm(c, 4)", lambda: F.group_norm(c, 4))
attempt("F.group_norm(torch.ones(1, 4), 3)", lambda: F.group_norm(torch.ones(1, 4), 3))
attempt("F.batch_norm(c[0,0], None, None, training=True)", lambda: F.batch_norm(c[0, 0], None, None, training=True))
attempt("F.rms_norm(i, (3,))", lambda: F.rms_norm(i, (3,)))
attempt("F.rms_norm(c, (2,))", lambda: F.rms_norm(c, (2,)))
attempt("F.rms_norm(c, (5,2))", lambda: F.rms_norm(c, (5, 2)))
attempt("F.rms_norm(i.bool(), (3,))", lambda: F.rms_norm(i.bool(), (3,)))
attempt("F.layer_norm(c.double(), (2,), torch.ones(2))", lambda: F.layer_norm(c.double(), (2,), torch.ones(2)))
attempt(
    "F.binary_cross_entropy_with_logits(c, c, pos_weight=w)",
    lambda: F.binary_cross_entropy_with_logits(c, c, pos_weight=w),
)
attempt(
    "F.binary_cross_entropy_with_logits(c, c, weight=w)", lambda: F.binary_cross_entropy_with_logits(c, c, weight=w)
)
attempt("F.binary_cross_entropy(c, c, weight=w)", lambda: F.binary_cross_entropy(c, c, weight=w))
attempt("F.cross_entropy(c[0], k, weight=w)", lambda: F.cross_entropy(c[0], k, weight=w))
attempt("F.cross_entropy(torch.ones(2,3,2), k, weight=w)", lambda: F.cross_entropy(torch.ones(2, 3, 2), k, weight=w))
attempt("F.multi_margin_loss(c, k, weight=w)", lambda: F.multi_margin_loss(c, k, weight=w))
attempt("F.cross_entropy(k, k, label_smoothing=3)", lambda: F.cross_entropy(k, k, label_smoothing=3))
attempt("F.multi_margin_loss(c[None], k)", lambda: F.multi_margin_loss(c[None], k))
attempt("F.multi_margin_loss(c[:, :0], k)", lambda: F.multi_margin_loss(c[:, :0], k))
attempt("F.multilabel_margin_loss(c[None], i[None])", lambda: F.multilabel_margin_loss(c[None], i[None]))
attempt("F.soft_margin_loss(c[0], c)", lambda: F.soft_margin_loss(c[0], c))
attempt("F.soft_margin_loss(c, torch.ones(4))", lambda: F.soft_margin_loss(c, torch.ones(4)))
attempt("F.prelu(k, w)", lambda: F.prelu(k, w))
attempt("F.prelu(c.double(), torch.ones(2))", lambda: F.prelu(c.double(), torch.ones(2)))
attempt("F.prelu(torch.tensor(1.), w)", lambda: F.prelu(torch.tensor(1.0), w))
attempt("F.bilinear(k, k, torch.ones(2,3,3))", lambda: F.bilinear(k, k, torch.ones(2, 3, 3)))
attempt(
    "F.bilinear(c, c.double(), torch.ones(2,3,3), torch.ones(2))",
    lambda: F.bilinear(c, c.double(), torch.ones(2, 3, 3), torch.ones(2)),
)
attempt(
    "F.bilinear(c, c, torch.ones(2,3,3), torch.ones(2).double())",
    lambda: F.bilinear(c, c, torch.ones(2, 3, 3), torch.ones(2).double()),
)
attempt(
    "F.bilinear(c, k, torch.ones(2,3,3), torch.ones(2))", lambda: F.bilinear(c, k, torch.ones(2, 3, 3), torch.ones(2))
)
attempt(
    "F.bilinear(c.double(), c, torch.ones(2,2,3), torch.ones(2))",
    lambda: F.bilinear(c.double(), c, torch.ones(2, 2, 3), torch.ones(2)),
)
attempt(
    "F.conv2d(x4.double(), torch.ones(3,3,2,2), torch.ones(3))",
    lambda: F.conv2d(x4.double(), torch.ones(3, 3, 2, 2), torch.ones(3)),
)
attempt(
    "F.conv2d(x4, torch.ones(3,2,2,2).double(), torch.ones(3).double())",
    lambda: F.conv2d(x4, torch.ones(3, 2, 2, 2).double(), torch.ones(3).double()),
)
attempt(
    "F.conv2d(c.double(), torch.ones(3,2,2,2), torch.ones(3))",
    lambda: F.conv2d(c.double(), torch.ones(3, 2, 2, 2), torch.ones(3)),
)
attempt(
    "F.conv2d(x4.double(), torch.ones(3,2,2,2), torch.ones(3), stride=0)",
    lambda: F.conv2d(x4.double(), torch.ones(3, 2, 2, 2), torch.ones(3), stride=0),
)
attempt(
    "F.conv2d(x4.double(), torch.ones(3,2,2,2), torch.ones(3), dilation=0)",
    lambda: F.conv2d(x4.double(), torch.ones(3, 2, 2, 2), torch.ones(3), dilation=0),
)
attempt("F.conv1d(c, torch.ones(2,3))", lambda: F.conv1d(c, torch.ones(2, 3)))
attempt(
    "F.conv2d(x4.double(), torch.ones(3,2,2,2), torch.ones(3), groups=0)",
    lambda: F.conv2d(x4.double(), torch.ones(3, 2, 2, 2), torch.ones(3), groups=0),
)
attempt(
    "F.conv2d(torch.ones(2,3,dtype=torch.uint8), torch.ones(3,3,2,2), torch.ones(3))",
    lambda: F.conv2d(torch.ones(2, 3, dtype=torch.uint8), torch.ones(3, 3, 2, 2), torch.ones(3)),
)
attempt("nn.Conv2d(1,1,1)(torch.ones(1,1,1,1).half())", lambda: nn.Conv2d(1, 1, 1)(torch.ones(1, 1, 1, 1).half()))
attempt("F.one_hot(k,0)", lambda: F.one_hot(k, 0))
attempt("F.one_hot(k,-2)", lambda: F.one_hot(k, -2))
attempt("F.scaled_dot_product_attention(c, c, k)", lambda: F.scaled_dot_product_attention(c, c, k))
attempt("F.layer_norm(c.double(), (3,), torch.ones(2))", lambda: F.layer_norm(c.double(), (3,), torch.ones(2)))
attempt("F.layer_norm(c.double(), (), torch.ones(2))", lambda: F.layer_norm(c.double(), (), torch.ones(2)))
attempt(
    "F.conv1d(c.double(), torch.ones(3,3,2), torch.ones(3), padding=(1,1,1))",
    lambda: F.conv1d(c.double(), torch.ones(3, 3, 2), torch.ones(3), padding=(1, 1, 1)),
)
attempt("F.cosine_embedding_loss(c,i,k)", lambda: F.cosine_embedding_loss(c, i, k))
attempt("F.margin_ranking_loss(i,i,i,margin=0.5)", lambda: F.margin_ranking_loss(i, i, i, margin=0.5))
attempt("F.poisson_nll_loss(i,i,log_input=False)", lambda: F.poisson_nll_loss(i, i, log_input=False))
attempt("F.pairwise_distance(i,i)", lambda: F.pairwise_distance(i, i))
attempt("F.triplet_margin_loss(i,i,i,swap=True)", lambda: F.triplet_margin_loss(i, i, i, swap=True))
attempt("F.multi_margin_loss(c[None],k)", lambda: F.multi_margin_loss(c[None], k))
attempt("F.multi_margin_loss(c[:,:0],k)", lambda: F.multi_margin_loss(c[:, :0], k))
attempt("F.multilabel_margin_loss(c[None],i[None])", lambda: F.multilabel_margin_loss(c[None], i[None]))
