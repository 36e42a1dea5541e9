// Whether what a service answers is what its classes say: the page shows nothing else.

import { CLASSES, RESULTS } from "./messages";

/** A type as data: a name, or a word and what is inside. */
type Shape = string | readonly Shape[];
const classes = CLASSES as unknown as Record<string, Record<string, Shape>>;
const results = RESULTS as unknown as Record<string, Shape>;

/** What is wrong with the answer to a method, and where; empty where nothing is. */
export function fault(method: string, answer: unknown): string {
  return wrong(results[method] ?? "any", answer, method);
}

function wrong(shape: Shape, value: unknown, at: string): string {
  if (typeof shape === "string") return shape in classes ? record(classes[shape]!, value, at) : plain(shape, value, at);
  const [word, ...inside] = shape as [string, ...Shape[]];
  switch (word) {
    case "one":
      return inside.some((kind) => wrong(kind, value, at) === "") ? "" : `${at} is none of its kinds`;
    case "is":
      return inside.includes(value as Shape) ? "" : `${at} is none of ${inside.join(", ")}`;
    case "record":
      return typeof value === "object" && value !== null && !Array.isArray(value)
        ? first(Object.entries(value), ([key, part]) => wrong(inside[0]!, part, `${at}.${key}`))
        : `${at} is no record`;
  }
  if (!Array.isArray(value)) return `${at} is no list`;
  if (word === "tuple" && value.length !== inside.length) return `${at} has ${value.length} parts`;
  return first([...value.entries()], ([i, part]) => wrong(word === "tuple" ? inside[i]! : inside[0]!, part, `${at}[${i}]`));
}

function record(fields: Record<string, Shape>, value: unknown, at: string): string {
  if (typeof value !== "object" || value === null) return `${at} is no record`;
  const strange = Object.keys(value).find((key) => !(key in fields));
  if (strange !== undefined) return `${at}.${strange} is unknown`;
  return first(Object.entries(fields), ([key, shape]) => wrong(shape, (value as Record<string, unknown>)[key], `${at}.${key}`));
}

function plain(kind: string, value: unknown, at: string): string {
  if (kind === "any") return value === undefined ? `${at} is missing` : "";
  return (kind === "null" ? value === null : typeof value === kind) ? "" : `${at} is no ${kind}`;
}

/** The first text that is not empty. */
function first<T>(all: T[], tell: (item: T) => string): string {
  for (const item of all) {
    const message = tell(item);
    if (message) return message;
  }
  return "";
}
