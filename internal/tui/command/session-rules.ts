// The permission rules that end with a session, which `/permissions` lists before the stored rules.
import { countNoun } from '../../base/text/count-noun.ts'
import { escapeInvisible } from '../../base/text/invisible-chars.ts'
import { penOfLook } from '../view/look-pen.ts'
import type { CommandScreen } from './command-screen.ts'

/**
 * With `forget` and the id of a session rule, such as `s1`, lets the session remove the rule and returns
 * true, even if that fails. Otherwise returns false, and the caller runs the command `permissions`. Without
 * an argument or with `list`, prints the session's rules first.
 */
export async function showSessionRules(screen: CommandScreen, argument: string): Promise<boolean> {
  const forget = /^forget\s+(s\d+)$/.exec(argument)?.[1]
  if (forget !== undefined) {
    const reply = await screen.send({ type: 'session_rules', forget })
    if (reply) screen.print([` rule ${forget} is removed; its calls need approval again`])
    return true
  }
  if (argument !== '' && argument !== 'list') return false
  const rules = (await screen.send({ type: 'session_rules' }))?.rules ?? []
  const [first] = rules
  if (!first) return false
  const pen = penOfLook(screen.look)
  const count = countNoun(rules.length, 'rule')
  const lines = [
    `${count} until this session ends; /permissions forget ${first.id} removes one`,
    ...rules.map(({ id, action, tool, when }) => `${id}  ${action}  ${tool}  ${escapeInvisible(when)}`),
  ]
  screen.print(lines.flatMap((line) => pen.wrap(line, screen.look.width - 1)).map((row) => ` ${row}`))
  return false
}
