// The sending of the user's messages from the plain screen, with attached files and images.
import type { SessionCommand } from '../../session/commands.ts'
import { withPictures } from '../command/outside-text.ts'
import { readMentions } from '../input/mention.ts'
import { describeFailure, type PlainState, sendCommand } from './plain-state.ts'

interface MessageOptions {
  isCommand?: true | undefined
  /** True if the terminal already shows the text of the message. Default: true. */
  isShown?: boolean
}

/**
 * Sends a message of the user. During a run the message steers the run. An empty text sends the queued
 * messages, and attached files and images; without any of them, it sends nothing.
 */
export async function sayWords(
  state: PlainState,
  words: string,
  { isCommand, isShown = true }: MessageOptions = {},
): Promise<void> {
  const {
    composer: { pictures, mentions },
  } = state
  const attached = [...mentions, ...pictures.keys()]
  if (words === '' && state.conversation.view.queue.length === 0 && attached.length === 0) return
  const text = [...attached, words].filter((part) => part !== '').join(' ')
  const content = pictures.size === 0 ? text : withPictures(text, pictures)
  const files = await readMentions([...mentions, words].join(' '), (...queryArgs) =>
    state.conversation.client.findMentions(...queryArgs),
  )
  const type = state.conversation.view.run && text !== '' ? 'steer' : 'say'
  if (type === 'steer') state.printer.print(['taken at the next step'])
  const more = { isCommand, files: files.length > 0 ? files : undefined }
  if (isShown && type === 'say') state.conversation.shown.push(text)
  state.composer.pictures = new Map()
  state.composer.mentions = []
  // The message is sent without waiting, so that the next typed lines do not wait for servers that start.
  void deliverCommand(state, { type, content, ...more }).then((isTaken) => {
    if (isTaken && state.composer.text === words) state.composer.text = ''
    if (isTaken) return
    state.composer.pictures = new Map([...pictures, ...state.composer.pictures])
    state.composer.mentions = [...mentions, ...state.composer.mentions]
    forgetShown(state, text)
  })
}

/**
 * Sends the command. Returns true if the session accepted it; otherwise the reason has been
 * printed. Never rejects.
 */
async function deliverCommand(state: PlainState, command: SessionCommand): Promise<boolean> {
  state.conversation.sending++
  const slow = setTimeout(
    () => state.printer.print(['waiting for the model and its servers; Ctrl-C stops it']),
    slowMs,
  )
  try {
    return (await sendCommand(state, command)) !== undefined
  } catch (error) {
    state.printer.print([describeFailure(error)])
    return false
  } finally {
    clearTimeout(slow)
    state.conversation.sending--
  }
}

/** Time in milliseconds after which the screen prints the reason for a delay. */
const slowMs = 1_000

/**
 * Returns true if the terminal already shows this message, and removes the message from the list
 * of shown ones.
 */
export function forgetShown({ conversation: { shown: shownTexts } }: PlainState, text: string): boolean {
  const at = shownTexts.indexOf(text)
  if (at >= 0) shownTexts.splice(at, 1)
  return at >= 0
}
