// Events of HTML and XML from text or a stream, in bounded steps. Declared entities are never expanded and
// nothing outside of the document is loaded.
import { TextDecoder } from 'node:util'
import { Parser } from 'htmlparser2'
import { type ReadingBudget, UnreadableDocument } from './reading-budget.ts'

/** The attributes of a tag by name. */
export type TagAttributes = Readonly<Record<string, string>>

export interface MarkupHandler {
  open(name: string, attributes: TagAttributes): void
  text(text: string): void
  close(name: string): void
}

const maxDepth = 1_000
const stepChars = 65_536

/**
 * Parses markup and calls `handler` for each tag and each piece of text, with entities decoded. Names are in
 * lower case for HTML; for XML they are unchanged, with their prefix. Throws UnreadableDocument above 1,000
 * levels, and if `budget` is out of time or its signal has aborted.
 */
export async function parseMarkup(
  source: string | AsyncIterable<Uint8Array>,
  form: 'html' | 'xml',
  handler: MarkupHandler,
  budget: ReadingBudget,
): Promise<void> {
  let depth = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > maxDepth) throw new UnreadableDocument('it is nested too deeply')
        handler.open(name, attributes)
      },
      ontext: (text) => handler.text(text),
      onclosetag(name) {
        depth--
        handler.close(name)
      },
      onerror(error) {
        throw error
      },
    },
    { xmlMode: form === 'xml', decodeEntities: true },
  )
  for await (const part of typeof source === 'string' ? stepsOf(source) : decodeStream(source)) {
    parser.write(part)
    await budget.pause()
  }
  parser.end()
}

/**
 * Returns the text with the named entities of HTML replaced, such as `&nbsp;`; unknown names stay. Pages in
 * XML contain them, although only HTML defines them.
 */
export function decodeNamedEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&[a-z][a-z0-9]{1,30};/gi, (name) => {
    let letters = ''
    const ontext = (part: string) => {
      letters += part
    }
    new Parser({ ontext }, { decodeEntities: true }).end(name)
    return letters
  })
}

function* stepsOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += stepChars) yield text.slice(at, at + stepChars)
}

/** Yields the text of a stream: UTF-16 if it has a byte order mark, else UTF-8. */
async function* decodeStream(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  for await (const chunk of source) {
    decoder ??= new TextDecoder(markedEncoding(chunk) ?? 'utf-8')
    yield* stepsOf(decoder.decode(chunk, { stream: true }))
  }
  yield decoder?.decode() ?? ''
}

function markedEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}
