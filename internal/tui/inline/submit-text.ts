// The effect of Enter on the text of the editor, which is a message, a shell command, a skill or
// a slash command.
import { messageOf } from '../../base/errors.ts'
import type { SessionCommand } from '../../session/commands.ts'
import { withPictures } from '../command/outside-text.ts'
import { runSlashCommand, slashObstacle } from '../command/run-slash-command.ts'
import { clearEditor, wholeText } from '../input/editor-text.ts'
import { readMentions } from '../input/mention.ts'
import { expandPastes, type PasteStore } from '../input/paste.ts'
import { readSkills } from '../input/session-skills.ts'
import { readInput } from '../input/slash-command.ts'
import { type InlineState, showFailure, showHint } from './inline-state.ts'
import { sendWords } from './send-command.ts'

/**
 * Submits the text of the editor. During a run a message steers the run; with "queue" it is queued instead.
 */
export async function submitText(state: InlineState, when: 'now' | 'queue' = 'now'): Promise<void> {
  const editorText = state.composer.editor.text()
  const text = expandPastes(state.composer.pastes, editorText)
  // A hint about an earlier text is removed.
  state.hints.hint = undefined
  let meaning = readInput(text, state.composer.skills)
  if (meaning.kind === 'refused' && !state.composer.skills) {
    await readSkills(state.screen.service, state.composer)
    // The user has typed meanwhile, so the text that was read before is not meant.
    if (state.composer.editor.text() !== editorText) return
    meaning = readInput(text, state.composer.skills)
  }
  switch (meaning.kind) {
    case 'nothing':
      return
    case 'refused':
      return showHint(state, meaning.message, 10_000, 0)
    case 'command': {
      const obstacle = slashObstacle(state, meaning.name, meaning.argument)
      // The command stays in the editor, because the user sends it again when the other one has ended.
      if (obstacle !== undefined) return showHint(state, obstacle)
      clearEditor(state)
      return await runSlashCommand(state, meaning.name, meaning.argument).catch((error: unknown) =>
        // The module of a command is loaded only now. It is missing if the installed program
        // was replaced meanwhile.
        showFailure(state, new Error(`/${meaning.name}: ${messageOf(error)}`)),
      )
    }
    case 'skill': {
      const { name, input } = meaning
      return await sendText(state, { type: 'say', content: meaning.text, skill: { name, input } })
    }
    case 'shell':
      return await sendText(state, { type: 'run_shell', line: meaning.line, tell: meaning.tell })
    case 'say':
      return await sayText(state, meaning, when)
  }
}

function sayText(
  state: InlineState,
  { text, isCommand }: { text: string; isCommand?: true },
  when: 'now' | 'queue',
): Promise<void> {
  const type = when === 'queue' ? 'queue' : state.conversation.view.run ? 'steer' : 'say'
  const content = withPictures(text, state.composer.pictures)
  return sendText(state, { type, content, isCommand }, text)
}

/**
 * Sends the text. It leaves the editor immediately, and its draft is removed once it is recorded. A rejected
 * text returns to the editor. `naming` is the text whose file mentions are attached.
 */
function sendText(state: InlineState, command: SessionCommand, naming = ''): Promise<void> {
  const {
    composer: { editor, pastes },
  } = state
  const editorText = editor.text()
  const whole = wholeText(state.composer)
  clearEditor(state)
  return giveText(state, editorText, command, { naming, whole, pastes })
}

/**
 * Sends a command and returns the text to the editor if the command is rejected. `whole` is the text
 * with expanded pastes.
 */
export async function giveText(
  state: InlineState,
  editorText: string,
  command: SessionCommand,
  { naming = '', whole = editorText, pastes = new Map() as PasteStore } = {},
): Promise<void> {
  const {
    conversation: { client },
  } = state
  const unsent = { text: whole }
  state.composer.unsent = [...state.composer.unsent, unsent]
  state.screen.changed()
  const send = async () => {
    const files = await readMentions(naming, (...queryArgs) => client.findMentions(...queryArgs))
    return sendWords(
      state,
      editorText,
      'content' in command && files.length > 0 ? { ...command, files } : command,
    )
  }
  const reply = await send().catch((error: unknown) => showFailure(state, error))
  state.composer.unsent = state.composer.unsent.filter((one) => one !== unsent)
  if (reply) {
    tellLostPictures(state, naming)
    return state.screen.changed()
  }
  state.composer.pastes = new Map([...pastes, ...state.composer.pastes])
  state.composer.editor.setText(
    [editorText, state.composer.editor.text()].filter((text) => text !== '').join('\n'),
  )
  state.screen.changed(true)
}

/**
 * Shows a hint if the text contains labels of images that are not stored any more, for example of
 * an earlier session.
 */
function tellLostPictures(state: InlineState, text: string): void {
  const labels = text.match(/\[picture \d+ [^\]\n]+\]/g) ?? []
  const lost = labels.filter((label) => !state.composer.pictures.has(label))
  if (lost.length > 0)
    showHint(state, `${lost.join(', ')} was sent without its image; attach it again with /image FILE`, 10_000)
}
