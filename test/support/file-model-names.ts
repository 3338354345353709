// Names of models that are files, in every spelling that a client may try.
const kinds = ['script', 'record', 'replay']
const cases = [(word: string) => word, (word: string) => word.toUpperCase(), capitalize, alternate, widen]
const before = ['', ' ', '\t', '\n', '\u00a0', '\u200b', '\ufeff', '\u202e', '\u2028 ']
const around = ['', ' ', '\u200b']
const lists = [
  (name: string) => name,
  (name: string) => `openai/gpt-5,${name}`,
  (name: string) => `openai/gpt-5, ${name}, builtin/extract`,
  (name: string) => `,,${name}`,
  (name: string) => `${name},builtin/extract`,
]

function capitalize(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
}

function alternate(word: string): string {
  return [...word].map((letter, i) => (i % 2 ? letter.toUpperCase() : letter)).join('')
}

/** Returns the word in full-width letters that Unicode folds to ASCII. */
function widen(word: string): string {
  return [...word].map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)).join('')
}

/** Every spelling of a model that is the file `path`. */
export const spellFileModels = (path: string): string[] =>
  kinds.flatMap((kind) =>
    cases.flatMap((write) =>
      before.flatMap((space) =>
        around.flatMap((gap) => lists.map((list) => list(`${space}${write(kind)}${gap}:${path}`))),
      ),
    ),
  )
