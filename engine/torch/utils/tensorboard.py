"""`torch.utils.tensorboard`: calls are taken, and nothing is written."""

from __future__ import annotations

from typing import Any

from engine.core.state import state


class SummaryWriter:
    """Writes what TensorBoard shows: not here, which it says once."""

    def __init__(self, log_dir: str | None = None, *args: Any, **kwargs: Any) -> None:
        self.log_dir = "runs" if log_dir is None else str(log_dir)
        state.notice("TensorBoard shows nothing here: what is added to a SummaryWriter is not written.")

    def get_logdir(self) -> str:
        """Where it would be written."""
        return self.log_dir

    def add_scalar(self, *args: Any, **kwargs: Any) -> None:
        """Take what would be shown."""

    add_scalars = add_histogram = add_histogram_raw = add_image = add_images = add_image_with_boxes = add_scalar
    add_figure = add_video = add_audio = add_text = add_graph = add_embedding = add_pr_curve = add_scalar
    add_hparams = add_mesh = add_custom_scalars = add_tensor = add_onnx_graph = flush = close = add_scalar

    def __enter__(self) -> SummaryWriter:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


SummaryWriter.__module__ = "torch.utils.tensorboard.writer"
FileWriter = SummaryWriter
