// What Enter does with the text of the editor: say, steer, queue, run a line, or a command of the screen.
import { defined } from '../../base/defined.ts'
import { messageOf } from '../../base/errors.ts'
import type { SessionCommand } from '../../session/commands.ts'
import { withPictures } from '../command/outside-text.ts'
import { runSlashCommand } from '../command/run-slash-command.ts'
import { readMentions } from '../input/mention.ts'
import { expandPastes } from '../input/paste.ts'
import { readSkills } from '../input/session-skills.ts'
import { readInput } from '../input/slash-command.ts'
import { clearEditor } from './clear-editor.ts'
import { type InlineState, showHint } from './inline-state.ts'
import { sendWords } from './send-command.ts'

/** While a run goes on words steer it, unless they are to be queued. */
export async function submitText(state: InlineState, when: 'now' | 'queue' = 'now'): Promise<void> {
  const shown = state.editor.text()
  const text = expandPastes(state.pastes, shown)
  let meaning = readInput(text, state.skills)
  if (meaning.kind === 'refused' && !state.skills) {
    await readSkills(state)
    // whoever goes on typing meanwhile has not meant this
    if (state.editor.text() !== shown) return
    meaning = readInput(text, state.skills)
  }
  switch (meaning.kind) {
    case 'nothing':
      return
    case 'refused':
      return showHint(state, meaning.message, 10_000)
    case 'command':
      clearEditor(state, shown)
      return await runSlashCommand(state, meaning.name, meaning.argument).catch((error: unknown) =>
        // a part that is loaded only now is gone where the program was replaced meanwhile
        showHint(state, `/${meaning.name}: ${messageOf(error)}`, 10_000),
      )
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
  const type = when === 'queue' ? 'queue' : state.view.run ? 'steer' : 'say'
  const files = readMentions(text)
  const content = withPictures(text, state.pictures)
  return sendText(state, { type, content, ...defined({ isCommand }), ...(files.length > 0 && { files }) })
}

/** The text leaves the editor at once and its file when it is on record; refused it comes back. */
async function sendText(state: InlineState, command: SessionCommand): Promise<void> {
  const shown = state.editor.text()
  const { pastes, pictures } = state
  clearEditor(state, expandPastes(pastes, shown), false)
  const reply = await sendWords(state, shown, command)
  if (reply) return state.draft.change(state.editor.text())
  state.pastes = new Map([...pastes, ...state.pastes])
  state.pictures = new Map([...pictures, ...state.pictures])
  state.editor.setText([shown, state.editor.text()].filter((text) => text !== '').join('\n'))
  state.screen.changed(true)
}
