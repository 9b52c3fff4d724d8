"""What the helper functions of formulas compute, in operators, and what stands for the numbers and places in them.

`T(x)` is a transpose, `total(x)` a sum over all elements, `holds(c)` is 1 where c holds and else 0.
"""

from __future__ import annotations

MEANINGS: dict[str, tuple[str, str]] = {
    "scaled": ("x factor", "factor * x"),
    "t": ("x", "T(x)"),
    "transpose": ("x", "T(x)"),
    "bmm": ("a b", "a @ b"),
    "mv": ("a b", "a @ b"),
    "mm_grad_first": ("g other", "g @ T(other)"),
    "mm_grad_second": ("g other", "T(other) @ g"),
    "outer_product": ("a b", "a @ T(b)"),
    "expand": ("g", "g * ones"),
    "spread": ("g", "g * ones"),
    "restored": ("x", "x"),
    "batched": ("x", "x"),
    "sum": ("x", "total(x)"),
    "sum_to_size": ("x", "total(x)"),
    "zeros_like": ("", "0"),
    "zero_like": ("", "0"),
    "one_like": ("", "1"),
    "rsqrt": ("x", "1 / sqrt(x)"),
    "square_reciprocal": ("a b", "1 / (a ** 2 + b ** 2)"),
    "where": ("test yes no", "yes if test else no"),
    "masked_fill_Scalar": ("x test value", "value if test else x"),
    "threshold_backward": ("g x limit", "g * holds(x > limit)"),
    "sigmoid_backward": ("g y", "g * y * (1 - y)"),
    "tanh_backward": ("g y", "g * (1 - y ** 2)"),
    "leaky_relu_backward": ("g x slope", "g if x > 0 else slope * g"),
    "mse_loss_backward": ("g x y reduction", "2 * g * (x - y) / n if reduction == 1 else 2 * g * (x - y)"),
    "bce_logits_backward": (
        "g x y weight positive reduction",
        "weighted(g) if weight is not None or positive is not None else g * (sigmoid(x) - y) / n if reduction == 1 "
        "else g * (sigmoid(x) - y)",
    ),
    "binary_cross_entropy_backward": (
        "g x y weight reduction",
        "weighted(g) if weight is not None else g * (x - y) / (x * (1 - x) * n) if reduction == 1 "
        "else g * (x - y) / (x * (1 - x))",
    ),
    "norm_backward": ("g x p norm", "g * x / norm if p == 2 else g * sign(x) if p == 1 else slope(g)"),
    "nll_loss_backward": (
        "g x y weight reduction",
        "weighted(g) if weight is not None else (-g / n if at_the_target else 0) if reduction == 1 "
        "else (-g if at_the_target else 0)",
    ),
    "shared": ("g x y", "g / ties if x == y else 0"),
    "shared_along": ("g x y", "g / ties if x == y else 0"),
    "to_selected": ("g", "g if it_was_chosen else 0"),
    "ordered_backward": ("g", "g if it_was_chosen else 0"),
    "masked_select_backward": ("g", "g if it_was_chosen else 0"),
    "max_pool2d_with_indices_backward": ("g", "g if it_was_the_largest else 0"),
    "max_pool3d_with_indices_backward": ("g", "g if it_was_the_largest else 0"),
    "avg_pool2d_backward": ("g", "share_of_windows"),
    "avg_pool3d_backward": ("g", "share_of_windows"),
    "trace_backward": ("g", "g if it_is_on_the_diagonal else 0"),
    "std_backward": ("g x y dim c", "g * (x - mean_of_x) / ((n - c) * y)"),
    "var_backward": ("g x dim c", "2 * g * (x - mean_of_x) / (n - c)"),
    "hardtanh_backward": ("g x low high", "g if low < x < high else 0"),
    "elu_backward": (
        "g alpha scale input_scale of_result x",
        "slope(g) if of_result else scale * g if x > 0 else scale * alpha * input_scale * g * exp(input_scale * x)",
    ),
    "smooth_l1_loss_backward": (
        "g x y reduction beta",
        "(g / n if reduction == 1 else g) * ((x - y) / beta if abs(x - y) < beta else sign(x - y))",
    ),
    "huber_loss_backward": (
        "g x y reduction delta",
        "(g / n if reduction == 1 else g) * (x - y if abs(x - y) < delta else delta * sign(x - y))",
    ),
    "reversed_cumsum": ("g", "sum_from_here_on"),
    "repeat_backward": ("g", "sum_over_copies"),
    "dropout_gradient": ("g mask p", "g * mask / (1 - p)"),
    "as_type": ("g", "g"),
    "lstm_layer_backward": ("g", "back_through_time"),
    "_scaled_dot_product_flash_attention_for_cpu_backward": ("g", "through_the_attention"),
    "_softmax_backward_data": ("g y", "y * (g - total(g * y))"),
    "_log_softmax_backward_data": ("g y", "g - exp(y) * total(g)"),
}
"""Helper function → its parameters and its meaning. Where a function has no meaning here (`slope`, `weighted`), the
formula's LaTeX is shown without numbers."""

SAID: dict[str, tuple[str, str] | tuple[str, str, float]] = {
    "ones": ("[1, …, 1]", r"\mathbf{1}", 1),
    "at_the_target": ("at the target class", r"\text{at the target class}"),
    "it_was_chosen": ("it was chosen", r"\text{where it was chosen}"),
    "it_was_the_largest": ("it was the largest of its window", r"\text{where it was the largest of its window}"),
    "it_is_on_the_diagonal": ("it is on the diagonal", r"\text{on the diagonal}"),
    "ties": ("ties", r"\text{ties}"),
    "mean_of_x": ("mean", r"\bar{x}"),
    "share_of_windows": (
        "its share of each g it was averaged into",
        r"\text{its share of each } g \text{ it was averaged into}",
    ),
    "sum_from_here_on": ("Σ g from here on", r"\textstyle\sum g \text{ from here on}"),
    "sum_over_copies": ("Σ g over its copies", r"\textstyle\sum g \text{ over its copies}"),
    "back_through_time": ("back through every step in time", r"\text{back through every step in time}"),
    "through_the_attention": ("through the attention weights", r"\text{through the attention weights}"),
}
"""What is said in words, or in a sign: as text, as LaTeX, and its number where it has one."""

CONSTANTS: dict[float, tuple[str, str]] = {
    0.6931471805599453: ("ln 2", r"\ln 2"),
    2.302585092994046: ("ln 10", r"\ln 10"),
    1.1283791670955126: ("2/√π", r"\tfrac{2}{\sqrt{\pi}}"),
    0.886226925452758: ("√π/2", r"\tfrac{\sqrt{\pi}}{2}"),
    2.5066282746310002: ("√(2π)", r"\sqrt{2\pi}"),
    0.017453292519943295: ("π/180", r"\tfrac{\pi}{180}"),
    57.29577951308232: ("180/π", r"\tfrac{180}{\pi}"),
}
"""Numbers that nobody recognises, as text and as LaTeX."""
