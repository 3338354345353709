// Letters with their accented forms. They become classes of a pattern that finds a word with
// and without accents.
import { removeAccents } from '../language.ts'

/** All forms of each letter, including the letter: `a` has `aàáâãäå`. */
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

/** Blocks of Unicode beyond Western European letters: more Latin, Greek and Cyrillic. */
const widerBlocks = [
  [0x100, 0x24f],
  [0x370, 0x4ff],
  [0x1e00, 0x1fff],
] as const

let wide: LetterVariants | undefined

/**
 * Returns the table of letter forms for the words of a question. The wider table slows every search down, so
 * it is used only if the question has letters from outside Western Europe.
 */
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

/** Returns the source of a regular expression that matches `stem` with and without accents. */
export function patternOf(stem: string, letters: LetterVariants): string {
  return [...stem]
    .map((char) => {
      const all = letters[char]
      return all === undefined ? char.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&') : `[${all}]`
    })
    .join('')
    .replaceAll('[sß][sß]', '(?:ss|ß)')
}
