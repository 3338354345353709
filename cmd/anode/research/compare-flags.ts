// The values of the flags of `anode research compare`: metrics with a direction, and shares in percent.
import { UserError } from '../../../internal/base/errors.ts'
import type { ComparedMetric } from '../../../internal/research/compare/comparison.ts'

/**
 * Parses metrics of the forms `NAME:lower`, `NAME:higher` and `NAME`, for which lower is better. Throws
 * UserError for other text and a repeated name.
 */
export function readMetricFlags(texts: readonly string[]): Pick<ComparedMetric, 'name' | 'direction'>[] {
  const metrics = texts.map((text) => {
    const [, name = '', direction = 'lower'] =
      /^([A-Za-z0-9_.µ-]{1,64})(?::(lower|higher))?$/.exec(text) ?? []
    if (name === '')
      throw new UserError(`--metric cannot be "${text}"`, { hint: 'NAME, NAME:lower or NAME:higher' })
    return { name, direction: direction as ComparedMetric['direction'] }
  })
  const twice = metrics.find(({ name }, i) => metrics.findIndex((one) => one.name === name) !== i)
  if (twice) throw new UserError(`--metric "${twice.name}" is repeated`, { hint: 'Name each metric once.' })
  return metrics
}

/**
 * Parses a percentage such as `2%`, `2` (percent) or `0.5%` to a share. Throws UserError for other text, and
 * from 100 % on.
 */
export function readShare(flag: string, text: string): number {
  const match = /^(\d+(?:\.\d+)?) ?%?$/.exec(text.trim())
  const share = match ? Number(match[1]) / 100 : Number.NaN
  if (share >= 0 && share < 1) return share
  throw new UserError(`--${flag} cannot be "${text}"`, { hint: 'A percentage below 100, for example 2%' })
}
