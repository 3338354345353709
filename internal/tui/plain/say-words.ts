// Words of a person on the plain screen, with the files and pictures that go along.
import { readMentions } from '../input/mention.ts'
import { type PlainState, sendCommand } from './plain-state.ts'

/** Steers while a run goes on; an empty text gives the model what is queued. */
export async function sayWords(state: PlainState, words: string, isCommand?: true): Promise<void> {
  const { pictures } = state
  if (words === '' && state.view.queue.length === 0 && pictures.size === 0) return
  const text = [...pictures.keys(), words].filter((part) => part !== '').join(' ')
  const content =
    pictures.size === 0 ? text : (await import('../command/outside-text.ts')).withPictures(text, pictures)
  const files = await readMentions(words, (...asked) => state.client.findMentions(...asked))
  const type = state.view.run && text !== '' ? 'steer' : 'say'
  if (type === 'steer') state.print(['taken at the next step'])
  const more = { ...(isCommand && { isCommand }), ...(files.length > 0 && { files }) }
  if (!(await sendCommand(state, { type, content, ...more }))) return
  state.pictures = new Map()
  if (state.text === words) state.text = ''
}
