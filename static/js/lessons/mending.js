/**
 * What mends the error of a program, where the smallest change is certain: found by the message and the line, said in
 * the names of the program. Pure.
 * @module
 */

import { mended } from "../findings/finding.js";
import { sourceAt, unitsBefore } from "../trace.js";
import { list } from "../ui/words.js";
import { bare, indentOf, lineAt } from "./suggest.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("./suggest.js").Change} Change */

/**
 * @typedef {object} Place
 * @property {Book} book
 * @property {number | null | undefined} number of the line of the error
 * @property {string} line
 * @property {string} trimmed
 * @property {string} indent
 * @property {RegExpExecArray} found what the message said
 */

/** By message, each with what it makes of the line of the error. @type {[RegExp, (place: Place) => Change | null][]} */
const MENDINGS = [
  [/backward through the graph a second time/, retainGraph],
  [/implicitly created only for scalar/, reduce],
  [/a leaf Variable that requires grad is being used in an in-place/, underNoGrad],
  [/Only Tensors of floating point and complex dtype can require gradients/, ofFloats],
  [/Can't call numpy\(\) on Tensor that requires grad/, detached],
  [/'NoneType' object has no attribute '(zero_|detach_)'/, onceThereIsOne],
  [/modified by an inplace operation/, outOfPlace],
  [/appears to not have been used in the graph/, allowUnused],
  [/'(?:Tensor|NoneType)' object is not callable/, notCalled],
  [/'float' object has no attribute 'backward'/, keptAsTensor],
  [/Iter' object has no attribute 'next'/, nextOf],
  [/name '\w+' is not defined|has no attribute '\w+'/, respelled],
  [/cannot be multiplied \(\d+x(\d+) and (\d+)x/, madeForInput],
  [/to have (\d+) channels, but got (\d+) channels/, madeForChannels],
  [/Mismatch in shape: grad_output/, weighedAlike],
  [/Using a target size|Target size .* must be the same/, shapedAlike],
  [/can't be cast to the desired output type (?:Long|Int|Bool|Byte)/, targetsThatAreFloats],
  [/could not infer output dtype/, averagedAsFloats],
  [/Boolean value of Tensor with more than one value/, lossMadeFirst],
  [/^(?:\w+\.)?(\w+)\(\) takes \d+ positional arguments? but \d+ (?:was|were) given/, givenSelf],
  [/must have the same dtype, but got (?:Double|Long) and Float/, ofFloat32],
  [/expected (?:scalar type|target dtype to be) Long/, ofClasses],
  [/view size is not compatible/, reshaped],
  [/before Module.__init__\(\) call/, initialised],
  [/not compiled with CUDA/, onTheCpu],
  [/^invalid index of a 0-dim tensor/, asNumber],
  [/unexpected keyword argument 'retain_variables'/, graphRetained],
  [/unexpected keyword argument 'verbose'/, silent],
  [/^invalid syntax$/, notAsync],
  [/^expected ':'$/, withColon],
  [/^(?:invalid syntax|cannot assign to .* here)\. Maybe you meant '=='/, compared],
  [/^'[([{]' was never closed/, closed],
];

/** @param {Book} book @returns {Change | null} */
export function mend(book) {
  const { error } = book.doc;
  if (!error) return called(book);
  if (error.program) return copiedAlong(book, error.program);
  for (const [message, idea] of MENDINGS) {
    const found = message.exec(error.message);
    if (!found) continue;
    const line = lineAt(book, error.line);
    return idea({ book, number: error.line, line, trimmed: line.trim(), indent: indentOf(line), found });
  }
  return asFound(book);
}

/** The edit of the finding that explains the error. @param {Book} book @returns {Change | null} */
function asFound(book) {
  const finding = book.doc.findings?.find((each) => each.explains_error && each.fix.edits?.length === 1);
  const from = book.doc.source.code ?? "";
  const to = finding && mended(from, finding);
  const line = finding?.fix.edits?.[0]?.line;
  if (!finding || !to || !line) return null;
  const say = `${to.split("\n")[line - 1]?.trim()} on line ${line}`;
  return { say, from, to, fix: `${finding.fix.text} Here: ${say}` };
}

/**
 * A program was copied with more than the program, or in another form.
 * @param {Book} book @param {import("../trace/document").Pasted} meant @returns {Change}
 */
function copiedAlong(book, { code, changes }) {
  const how = list(changes);
  return { say: `the program ${how}`, from: book.doc.source.code ?? "", to: code, fix: `Run the program ${how}.` };
}

/**
 * Another text for one line.
 * @param {number | null | undefined} line @param {string} from @param {string} to @param {string} fix
 * @param {string} [say]
 */
const rewritten = (line, from, to, fix, say = to.trim()) => ({ say, from, to, fix, line: line ?? 0 });

/**
 * Another text for the expression of the error, when it lies on one line.
 * @param {Place} place @param {RegExp} from @param {string} to @param {string} fix
 */
function changed({ book, number, line }, from, to, fix) {
  const { error } = book.doc;
  const text = error && sourceAt(book.lines, error);
  if (!text || !from.test(text)) return null;
  const at = unitsBefore(line, error.column ?? 0);
  const whole = line.slice(0, at) + text.replace(from, to) + line.slice(at + text.length);
  return rewritten(number, line, whole, `${fix} ${whole.trim()}`);
}

/** A second pass found its saved tensors freed. @param {Place} place */
function retainGraph({ book }) {
  const { error } = book.doc;
  const calls = [...book.calls.values()].filter((event) => event.line && !event.retain_graph);
  const carried = book.doc.findings?.some(({ rule, explains_error }) => rule === "graph-grows" && explains_error);
  const first = calls.find((event) => event.line !== error?.line) ?? (carried ? undefined : calls[0]);
  const line = lineAt(book, first?.line);
  const call = /\.backward\((.*)\)\s*$/.exec(line);
  if (!first || !call) return null;
  const kept = `${call[1] ? `${call[1]}, ` : ""}retain_graph=True`;
  const to = `${line.slice(0, call.index)}.backward(${kept})`;
  const where = `${to.trim()} on line ${first.line}`;
  return rewritten(
    first.line,
    line,
    to,
    `Write ${where}, or run the forward computation again before each backward().`,
    where,
  );
}

/** backward() on several elements without weights. @param {Place} place */
function reduce({ number, line }) {
  const call = /^(\s*)(\w+)\.backward\(\)/.exec(line);
  if (!call) return null;
  const name = call[2];
  const to = line.replace(`${name}.backward()`, `${name}.sum().backward()`);
  const fix = `Reduce ${name} to a single number, as in ${name}.sum().backward(), or give each element a weight:`;
  const weights = `${name}.backward(torch.ones_like(${name}))`;
  return rewritten(number, line, to, `${fix} ${weights} gives each a weight of 1.`, `${name}.sum().backward()`);
}

/** A leaf was written in place while the graph was recorded. @param {Place} place */
function underNoGrad({ number, line, trimmed, indent }) {
  if (!trimmed || trimmed.endsWith(":")) return null;
  const to = `${indent}with torch.no_grad():\n${indent}    ${trimmed}`;
  const fix = `Write ${trimmed} under torch.no_grad() if it is a parameter update, or make a new tensor instead.`;
  return rewritten(number, line, to, fix, `${trimmed} under torch.no_grad()`);
}

/** Integers cannot require a gradient. @param {Place} place */
function ofFloats({ number, line }) {
  if (line.split("requires_grad=True").length !== 2 || /dtype\s*=/.test(line)) return null;
  const to = line.replace("requires_grad=True", "dtype=torch.float32, requires_grad=True");
  return rewritten(number, line, to, `Only floating point tensors can require grad: ${to.trim()}`);
}

/** numpy knows no gradients. @param {Place} place */
function detached({ number, line }) {
  if (line.split(".numpy()").length !== 2) return null;
  const to = line.replace(".numpy()", ".detach().numpy()");
  return rewritten(number, line, to, `Detach it from the graph first: ${to.trim()}`);
}

/** `.grad` is None until a pass has come there. @param {Place} place */
function onceThereIsOne({ number, line, trimmed, indent, found }) {
  const call = new RegExp(`^([\\w.]+\\.grad)\\.${found[1]}\\(\\)\\s*$`).exec(trimmed);
  if (!call) return null;
  const to = `${indent}if ${call[1]} is not None:\n${indent}    ${trimmed}`;
  return rewritten(
    number,
    line,
    to,
    `${call[1]} is None before the first backward(), so there is nothing to clear yet.`,
    to.trim(),
  );
}

/** What an in-place operation overwrote was needed. @param {Place} place */
function outOfPlace({ book }) {
  for (const number of book.doc.error?.related_lines ?? []) {
    const line = lineAt(book, number);
    const to = withoutWriting(line);
    if (to === null || to === line) continue;
    return rewritten(
      number,
      line,
      to,
      `Make a new tensor on line ${number}: ${to.trim()}`,
      `${to.trim()} on line ${number}`,
    );
  }
  return null;
}

/** A line that makes a new tensor in place of one that writes; null for any other. @param {string} line */
function withoutWriting(line) {
  const assignment = /^(\s*)(\w+)\s*(\*\*|\/\/|[-+*/@%])=\s*(.+?)\s*$/.exec(line);
  if (assignment) {
    const [, indent, name, sign, value] = assignment;
    return `${indent}${name} = ${name} ${sign} ${/^[\w.]+(\([^()]*\))?$/.test(value) ? value : `(${value})`}`;
  }
  const call = /^(\s*)(\w+)\.([a-z]\w*?)_\((.*)\)\s*$/.exec(line);
  if (call) return `${call[1]}${call[2]} = ${call[2]}.${call[3]}(${call[4]})`;
  return /inplace\s*=\s*True/.test(line) ? line.replace(/,?\s*inplace\s*=\s*True/, "") : null;
}

/** grad() of what was not used. @param {Place} place */
function allowUnused({ number, line }) {
  const end = endOfCall(line, /\bgrad\(/);
  if (end < 0 || /allow_unused/.test(line)) return null;
  const to = `${line.slice(0, end)}, allow_unused=True${line.slice(end)}`;
  return rewritten(number, line, to, `If None is fine as its gradient, write ${to.trim()}`);
}

/** Where the only call of a function in a line closes; -1 if it does not. @param {string} line @param {RegExp} name */
function endOfCall(line, name) {
  const start = line.search(name);
  if (start < 0 || line.slice(start + 1).search(name) >= 0) return -1;
  let depth = 0;
  for (let at = start; at < line.length; at++) {
    if ("([{".includes(line[at])) depth++;
    else if (")]}".includes(line[at]) && --depth === 0) return at;
  }
  return -1;
}

/** `.grad` is no method. @param {Place} place */
function notCalled({ number, line }) {
  if (line.split(".grad()").length !== 2) return null;
  const to = line.replace(".grad()", ".grad");
  return rewritten(number, line, to, `.grad is a tensor, not a method: ${to.trim()}`);
}

/** A name that is a slip of another, or that nothing imports. @param {Place} place */
function respelled(place) {
  const { suggestion } = place.book.doc.error ?? {};
  if (!suggestion) return null;
  return suggestion.includes(" ")
    ? imported(place.book, suggestion)
    : changed(place, /[^\s.]+$/, suggestion, "Probably meant:");
}

/** An import that a program lacks, before its others. @param {Book} book @param {string} statement */
function imported(book, statement) {
  const first = book.lines.findIndex((line) => /^(?:import|from)\s(?!__future__)/.test(line));
  const at = first < 0 ? book.lines.findIndex((line) => /^[^\s#]/.test(line)) : first;
  const line = lineAt(book, at + 1);
  return rewritten(at + 1, line, `${statement}\n${line}`, `Begin with ${statement}.`, `${statement} first`);
}

/** Data of numpy's, or integers, come to a layer. @param {Place} place */
function ofFloat32(place) {
  return changed(
    place,
    /^([\w.]+\()([\w.[\]]+)\)$/,
    "$1$2.float())",
    "Layers are float32, so their input should be, too:",
  );
}

/** A layer that was made for inputs of another size. @param {Place} place */
function madeForInput({ book, found }) {
  return remade(book, "Linear", found[2], found[1]);
}

/** A convolution that was made for other channels. @param {Place} place */
function madeForChannels({ book, found }) {
  return remade(book, "Conv\\dd", found[1], found[2]);
}

/**
 * A layer with another size of its inputs, where there is one that it can be: what raised, or the only one of its size.
 * @param {Book} book @param {string} kind @param {string | undefined} made @param {string | undefined} comes
 */
function remade(book, kind, made, comes) {
  const name = /^([\w.]+)\(/.exec((book.doc.error && sourceAt(book.lines, book.doc.error)) ?? "")?.[1];
  const layer = new RegExp(`\\b(${kind})\\((\\s*in_(?:features|channels)\\s*=\\s*|\\s*)([^(),]|\\([^()]*\\))+`, "g");
  const sized = new RegExp(`\\b(${kind})\\((\\s*in_(?:features|channels)\\s*=\\s*|\\s*)${made}(?!\\w)`, "g");
  for (const [wanted, pattern] of /** @type {[(line: string) => boolean, RegExp][]} */ ([
    [(line) => Boolean(name) && line.trim().startsWith(`${name} = `), layer],
    [() => true, sized],
  ])) {
    const numbers = book.lines.flatMap((line, i) => (wanted(line) && line.match(pattern) ? [i + 1] : []));
    const line = lineAt(book, numbers[0]);
    if (numbers.length !== 1 || line.match(pattern)?.length !== 1) continue;
    const to = line.replace(pattern, `$1($2${comes}`);
    return rewritten(numbers[0], line, to, `Make the layer the size of its input: ${to.trim()}`);
  }
  return null;
}

/** The last argument of a call, of a layer that is made on the spot as well. */
const LAST = /^([\w.]+(?:\([^()]*\))?\()([\w.[\]]+)(, *)([\w.[\]]+)\)$/;

/** Numbers of classes that are floats. @param {Place} place */
function ofClasses(place) {
  return changed(place, LAST, "$1$2$3$4.long())", "Class indices are integers:");
}

/** Targets that are integers where floats are needed. @param {Place} place */
function targetsThatAreFloats(place) {
  return changed(place, LAST, "$1$2$3$4.float())", "This loss takes float targets:");
}

/** A target with the numbers of the input in another shape. @param {Place} place */
function shapedAlike(place) {
  const sizes = [...(place.book.doc.error?.message ?? "").matchAll(/\[([\d, ]*)\]/g)].map((found) => found[1] ?? "");
  const [a, b] = sizes.map((size) => size.split(",").reduce((product, extent) => product * Number(extent), 1));
  if (sizes.length !== 2 || a !== b) return null;
  return changed(place, LAST, "$1$2$3$4.view_as($2))", "Give the target the shape of the input:");
}

/** Weights of another shape than what they weigh. @param {Place} place */
function weighedAlike(place) {
  const call = /^(\w+)\.backward\(.*\)$/;
  return changed(place, call, "$1.backward(torch.ones_like($1))", "One weight for each element:");
}

/** An average of integers. @param {Place} place */
function averagedAsFloats(place) {
  return changed(place, /^([\w.[\]]+)\.(mean|std|var)\(/, "$1.float().$2(", "mean, std and var need floats:");
}

/** A loss that was given tensors when it was made. @param {Place} place */
function lossMadeFirst(place) {
  return changed(
    place,
    /^((?:\w+\.)*\w+Loss)\((.+)\)$/,
    "$1()($2)",
    "A loss is a module: construct it first, then call it:",
  );
}

/** A loss whose number was taken out of the graph. @param {Place} place */
function keptAsTensor({ book, number, line }) {
  const name = /^\s*(\w+)\.backward\(/.exec(line)?.[1];
  const made = new RegExp(`^\\s*${name} = .*\\.item\\(\\)\\s*$`);
  const before = book.lines.slice(0, number ?? 0);
  const at = name ? before.length - [...before].reverse().findIndex((text) => made.test(text)) : 0;
  const from = lineAt(book, at);
  const to = from.replace(/\.item\(\)\s*$/, "");
  const where = `${to.trim()} on line ${at}`;
  return to !== from ? rewritten(at, from, to, `Keep the tensor: ${where}`, where) : null;
}

/** A method without self. @param {Place} place */
function givenSelf({ book, found }) {
  const method = new RegExp(`^\\s+def ${found[1]}\\((?!self\\b|cls\\b)`);
  const numbers = book.lines.flatMap((line, i) => (method.test(line) ? [i + 1] : []));
  const line = lineAt(book, numbers[0]);
  if (numbers.length !== 1) return null;
  const to = line.replace(/\((\s*)(\))?/, (_, blank, end) => (end ? "(self)" : `(self, ${blank}`));
  return rewritten(numbers[0], line, to, `The first argument of a method is self: ${to.trim()}`);
}

/** A method that is named and not called. @param {Book} book @returns {Change | null} */
function called(book) {
  const warned = book.doc.warnings.find(({ message }) => /^Nothing calls .* here: write /.test(message));
  const line = lineAt(book, warned?.line);
  const to = line.replace(/(\w)(\s*(?:#.*)?)$/, "$1()$2");
  return warned && to !== line ? rewritten(warned.line, line, to, `Call it: ${to.trim()}`) : null;
}

/** What does not lie in order. @param {Place} place */
function reshaped(place) {
  return changed(place, /\.view(?=\([^()]*\)$)/, ".reshape", "reshape copies where a view is impossible:");
}

/** A module that is not there yet. @param {Place} place */
function initialised({ number, line, trimmed, indent, book }) {
  if (book.doc.error?.traceback?.at(-1)?.function !== "__init__") return null;
  const to = `${indent}super().__init__()\n${line}`;
  return rewritten(number, line, to, `Begin with super().__init__(), before ${trimmed}`, "super().__init__() first");
}

/** What is to be on a graphics card. @param {Place} place */
function onTheCpu({ book, number }) {
  const there = /\.cuda\([\w=, ]*\)|(["'])cuda(?::\d)?\1/;
  const numbers = [number ?? 0, ...book.lines.map((_, i) => i + 1)];
  const found = numbers.find((n) => there.test(lineAt(book, n)) && !/is_available|==/.test(lineAt(book, n)));
  if (!found) return null;
  const line = lineAt(book, found);
  const to = line.replace(there, (_, quote) => (quote ? `${quote}cpu${quote}` : ""));
  return rewritten(found, line, to, `Run on the CPU, where the gradients are the same: ${to.trim()}`);
}

/** The one element of what is a number: losses had a dimension once. @param {Place} place */
function asNumber(place) {
  return changed(
    place,
    /(?:\.data)?\[0\]$/,
    ".item()",
    "A 0-d tensor has nothing to index; item() returns its number:",
  );
}

/** The old name of an argument of `backward`. @param {Place} place */
function graphRetained(place) {
  return changed(place, /\bretain_variables\b/, "retain_graph", "The argument is called retain_graph now:");
}

/** Iterators had a method. @param {Place} place */
function nextOf({ number, line }) {
  const to = line.replace(/([\w.]+|iter\([^()]*\))\.next\(\)/, "next($1)");
  return to === line
    ? null
    : rewritten(number, line, to, `Python 3 iterators have no .next(); use next(): ${to.trim()}`);
}

/** Schedulers had an argument that they have no more. @param {Place} place */
function silent(place) {
  return changed(place, /, *verbose *= *\w+/, "", "Schedulers no longer take verbose:");
}

/** An argument had the name of what is a word of Python since. @param {Place} place */
function notAsync({ number, line }) {
  const to = line.replace(/\basync( *=)/, "non_blocking$1");
  return to === line ? null : rewritten(number, line, to, `async is a Python keyword now: ${to.trim()}`);
}

/** A block begins without a colon. @param {Place} place */
function withColon({ book, number, line }) {
  const at = unitsBefore(line, book.doc.error?.column ?? line.length);
  const to = `${line.slice(0, at).trimEnd()}:${/\s*$/.exec(line.slice(0, at))?.[0]}${line.slice(at)}`;
  return rewritten(number, line, to, `Add the colon: ${to.trim()}`);
}

/** What should be compared is assigned. @param {Place} place */
function compared({ book, number, line, found }) {
  const { error } = book.doc;
  const target = found[0].startsWith("cannot"); // the error is at what is assigned to, and else at both sides
  const at = unitsBefore(line, (target ? error?.end_column : error?.column) ?? 0);
  const to = line.slice(0, at) + line.slice(at).replace(/(?<![=!<>])=(?!=)/, "==");
  return to === line ? null : rewritten(number, line, to, `Compare with ==: ${to.trim()}`);
}

/** A bracket of a line is not closed, and the line is all that belongs in it. @param {Place} place */
function closed({ book, number, line, indent }) {
  const next = book.lines.slice(number ?? 0).find((text) => text.trim()) ?? "";
  if (line.includes("#") || indentOf(next).length > indent.length || /^\s*[)\]}]/.test(next)) return null;
  const brackets = [];
  for (const sign of bare(line)) {
    if ("([{".includes(sign)) brackets.push({ "(": ")", "[": "]", "{": "}" }[sign]);
    else if (")]}".includes(sign)) brackets.pop();
  }
  if (!brackets.length) return null;
  const to = `${line.trimEnd()}${brackets.reverse().join("")}`;
  return rewritten(number, line, to, `Close the bracket: ${to.trim()}`);
}
