/**
 * Texts of a figure: mathematics in plain characters, and lines that fit. Pure.
 * @module
 */

/** Letters and signs of TeX that figures of this kind use. @type {Record<string, string>} */
const SIGNS = {
  alpha: "α",
  beta: "β",
  gamma: "γ",
  delta: "δ",
  epsilon: "ε",
  varepsilon: "ε",
  eta: "η",
  theta: "θ",
  kappa: "κ",
  lambda: "λ",
  mu: "μ",
  nu: "ν",
  xi: "ξ",
  pi: "π",
  rho: "ρ",
  sigma: "σ",
  tau: "τ",
  phi: "φ",
  varphi: "φ",
  chi: "χ",
  psi: "ψ",
  omega: "ω",
  Gamma: "Γ",
  Delta: "Δ",
  Theta: "Θ",
  Lambda: "Λ",
  Sigma: "Σ",
  Phi: "Φ",
  Psi: "Ψ",
  Omega: "Ω",
  nabla: "∇",
  partial: "∂",
  cdot: "·",
  times: "×",
  pm: "±",
  infty: "∞",
  sum: "∑",
  prod: "∏",
  sqrt: "√",
  approx: "≈",
  leq: "≤",
  le: "≤",
  geq: "≥",
  ge: "≥",
  neq: "≠",
  ne: "≠",
  to: "→",
  rightarrow: "→",
  in: "∈",
  ldots: "…",
  dots: "…",
  quad: " ",
  left: "",
  right: "",
  mathbf: "",
  mathrm: "",
  text: "",
  hat: "",
  mathcal: "",
};
const RAISED = Object.fromEntries(
  [..."0123456789+-=()nTi"].map((sign, i) => [sign, [..."⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿᵀⁱ"][i] ?? sign]),
);
const LOWERED = Object.fromEntries(
  [..."0123456789+-=()ijtn"].map((sign, i) => [sign, [..."₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ᵢⱼₜₙ"][i] ?? sign]),
);

/** What stands between dollar signs, without TeX. @param {string} text */
export const plain = (text) => text.replace(/\$([^$]+)\$/g, (_, inner) => formula(inner));

/** @param {string} tex */
function formula(tex) {
  const moved = (
    /** @type {Record<string, string>} */ table,
    /** @type {string} */ sign,
    /** @type {string} */ part,
  ) => ([...part].every((each) => table[each]) ? [...part].map((each) => table[each]).join("") : `${sign}${part}`);
  return tex
    .replace(/\\[,;:! ]/g, " ")
    .replace(/\\frac\{([^{}]*)\}\{([^{}]*)\}/g, "$1/$2")
    .replace(/\\([A-Za-z]+) ?/g, (_, name) => SIGNS[name] ?? name)
    .replace(/\^(?:\{([^{}]*)\}|(.))/g, (_, many, one) => moved(RAISED, "^", many ?? one))
    .replace(/_(?:\{([^{}]*)\}|(.))/g, (_, many, one) => moved(LOWERED, "_", many ?? one))
    .replace(/[{}]/g, "");
}

/** A letter's width, of its height. */
const WIDE = 0.6;

/** How wide a text is, about. @param {string} text @param {number} [size] of its letters, in pixels */
export const widthOf = (text, size = 12) => text.length * size * WIDE;

/** @param {string} text @param {number} room in pixels @param {number} [size] */
export function shortened(text, room, size = 12) {
  if (widthOf(text, size) <= room) return text;
  const most = Math.floor(room / (size * WIDE)) - 1;
  return most < 1 ? "" : `${text.slice(0, most).trimEnd()}…`;
}

/**
 * Lines of words, no wider than the room there is.
 * @param {string} text @param {number} room in pixels @param {number} most lines @param {number} [size]
 * @returns {string[]}
 */
export function wrapped(text, room, most, size = 12) {
  const lines = text.split("\n").flatMap((line) => {
    /** @type {string[]} */
    const made = [];
    for (const word of line.split(" ")) {
      const last = made.at(-1);
      if (last !== undefined && widthOf(`${last} ${word}`, size) <= room) made[made.length - 1] = `${last} ${word}`;
      else made.push(word);
    }
    return made;
  });
  if (lines.length > most) lines.splice(most - 1, lines.length, lines.slice(most - 1).join(" "));
  return lines.filter((line) => line.trim()).map((line) => shortened(line, room, size));
}
