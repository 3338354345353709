// One component drawn on its own, and the ways to look at it that the tests share.
import type { RenderLook } from '../../../internal/render/pen.ts'
import { type RenderOptions, render } from '../../../internal/render/render.ts'

export const options: RenderOptions = {
  width: 40,
  color: 0,
  unicode: true,
  ambiguous: 1,
  plain: false,
  all: false,
}

export const look: RenderLook = options

/** Returns the lines of a spec with one element. Fails on an error. */
export function draw(type: string, props: unknown, other: Partial<RenderOptions> = {}): string[] {
  return lines({ x: { type, props } }, other)
}

/** Returns the lines of the tree below the first element. */
export function lines(elements: Record<string, unknown>, other: Partial<RenderOptions> = {}): string[] {
  const { ok, lines, errors } = render(specOf(elements), { ...options, ...other })
  if (!ok) throw new Error(JSON.stringify(errors))
  return lines
}

export const specOf = (elements: Record<string, unknown>) => ({ root: Object.keys(elements)[0], elements })

/** Codes of errors and warnings of the tree below the first element. */
export function codes(elements: Record<string, unknown>, other: Partial<RenderOptions> = {}): string[] {
  const { errors, warnings } = render(specOf(elements), { ...options, ...other })
  return [...errors, ...warnings].map((issue) => issue.code)
}
