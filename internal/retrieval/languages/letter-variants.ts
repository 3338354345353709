// LetterVariants with their accents, as classes of a pattern that finds a word with and without them.
import { removeAccents } from '../language.ts'

/** LetterVariants with their variants. */
export type LetterVariants = Readonly<Record<string, string>>

const accented: LetterVariants = {
  a: 'aàáâãäå',
  c: 'cç',
  e: 'eèéêë',
  i: 'iìíîï',
  n: 'nñ',
  o: 'oòóôõö',
  s: 'sß',
  u: 'uùúûü',
  y: 'yýÿ',
}

/** Latin beyond Western Europe, Greek and Cyrillic. */
const widerBlocks = [
  [0x100, 0x24f],
  [0x370, 0x4ff],
  [0x1e00, 0x1fff],
] as const

let wide: LetterVariants | undefined

/** The wider table slows every search down, so only a question with such letters gets it. */
export function lettersFor(words: string): LetterVariants {
  if (!/[\u0100-\u04ff\u1e00-\u1fff]/.test(words)) return accented
  if (wide) return wide
  const out: Record<string, string> = { ...accented }
  for (const [from, to] of widerBlocks) {
    for (let code = from; code <= to; code++) {
      const char = String.fromCharCode(code)
      const base = removeAccents(char.toLowerCase())
      if (base !== char && base.length === 1) out[base] = `${out[base] ?? base}${char}`
    }
  }
  wide = out
  return wide
}

/** The letters themselves, with and without accents. */
export function patternOf(stem: string, letters: LetterVariants): string {
  return [...stem]
    .map((char) => {
      const all = letters[char]
      return all === undefined ? char.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&') : `[${all}]`
    })
    .join('')
    .replaceAll('[sß][sß]', '(?:ss|ß)')
}
