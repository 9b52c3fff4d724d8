import type { KatexOptions } from "katex";
export function render(tex: string, element: HTMLElement, options?: KatexOptions): void;
