// Capabilities of the output stream: width, color depth, characters.
import type { EnvironmentVariables } from '../base/environment.ts'

/** The part of a write stream that decides about the form of the output. */
interface OutputStream {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

/** Command line flags. Each of them overrides the environment, except the color `auto` and `ascii: false`. */
export interface TerminalFlags {
  width?: number | undefined
  color?: 'auto' | 'always' | 'never' | undefined
  ascii?: boolean | undefined
}

/** Number of colors that may be used: 0 for none, 1 for 16, 2 for 256, 3 for any color. */
export type ColorDepth = 0 | 1 | 2 | 3

interface TerminalFeatures {
  /** Cells of a line, 20 to 500. */
  width: number
  color: ColorDepth
  /** True if borders, bars and marks may use characters other than ASCII. */
  unicode: boolean
  /** Number of cells of a character whose width in East Asian terminals is ambiguous. */
  ambiguous: 1 | 2
}

export const minTerminalCells = 20
export const maxTerminalCells = 500

/** Returns the capabilities by the rules of manual/render.md in their order. Uses only the arguments. */
export function terminalOptions({
  env,
  stream,
  flags = {},
}: {
  env: EnvironmentVariables
  stream: OutputStream
  flags?: TerminalFlags
}): TerminalFeatures {
  return {
    width: widthOf(env, stream, flags.width),
    color: wantsColor(env, stream, flags.color) ? depthOf(env) : 0,
    unicode: !flags.ascii && env.TERM !== 'linux' && !saysOtherCharset(env),
    ambiguous: env.ANODE_AMBIGUOUS_WIDTH === '2' ? 2 : 1,
  }
}

function widthOf(env: EnvironmentVariables, stream: OutputStream, flag: number | undefined): number {
  const columns = /^\d+$/.test(env.COLUMNS ?? '') ? Number(env.COLUMNS) : 0
  const requestedWidth =
    flag ?? (columns >= minTerminalCells && columns <= maxTerminalCells ? columns : stream.columns || 80)
  return Math.min(maxTerminalCells, Math.max(minTerminalCells, Math.trunc(requestedWidth)))
}

function wantsColor(env: EnvironmentVariables, stream: OutputStream, flag: TerminalFlags['color']): boolean {
  if (flag === 'always' || flag === 'never') return flag === 'always'
  if (env.NO_COLOR) return false
  const force = env.FORCE_COLOR || env.CLICOLOR_FORCE
  if (force) return force !== '0' && force !== 'false'
  return env.TERM !== 'dumb' && stream.isTTY === true
}

function depthOf(env: EnvironmentVariables): ColorDepth {
  if (/^(truecolor|24bit)$/i.test(env.COLORTERM ?? '') || env.FORCE_COLOR === '3') return 3
  return /256color/i.test(env.TERM ?? '') || env.FORCE_COLOR === '2' ? 2 : 1
}

/**
 * Returns true if the locale is set and not UTF-8. An unset locale, as in most containers, says nothing
 * about the terminal.
 */
function saysOtherCharset(env: EnvironmentVariables): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG
  return locale ? !/utf-?8/i.test(locale) : false
}
