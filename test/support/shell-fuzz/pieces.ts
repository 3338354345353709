// The lists that generated commands are drawn from, by the name of their section.
import text from './pieces.md'

let lists: ReadonlyMap<string, readonly string[]> | undefined

/** Returns a list. Throws for an unknown section, so that a typo does not empty a generator. */
export function pieces(name: string): readonly string[] {
  lists ??= new Map(text.split('\n## ').slice(1).map(section))
  const found = lists.get(name)
  if (!found?.length) throw new Error(`no pieces called ${name}`)
  return found
}

function section(text: string): [string, readonly string[]] {
  const [name = '', , ...lines] = text.split('\n')
  return [name, lines.filter((line) => line !== '').map(entry)]
}

/** Returns the value of a line of the file. */
function entry(line: string): string {
  if (line === '∅') return ''
  return line
    .replace(/<U\+([\dA-F]{4})>/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/[\u2400-\u241f]/g, (picture) => String.fromCharCode(picture.charCodeAt(0) - 0x2400))
    .replaceAll('\u2421', '\x7f')
    .replaceAll('\u2420', ' ')
}
