// Leaves out fields that have no value: absent and undefined fields are different to the type checker.

/** The same fields; those that may be undefined are optional. */
type DefinedFields<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** A copy of `fields` without those whose value is undefined; the order stays. */
export function defined<T extends object>(fields: T): DefinedFields<T> {
  const copy: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) copy[name] = value
  return copy as DefinedFields<T>
}
