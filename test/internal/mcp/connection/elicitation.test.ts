// Questions of servers: the name of the server comes first, in a form, a consent, and a later part of
// a long form.
import type { ElicitRequestParams } from '@modelcontextprotocol/client'
import { expect, it } from 'vitest'
import { askElicitation } from '../../../../internal/mcp/connection/elicitation.ts'
import type { UserQuestionnaire } from '../../../../internal/tool/ask.ts'
import type { UserChannel } from '../../../../internal/tool/ctx.ts'

const never = new AbortController().signal
const form = (count: number) =>
  ({
    message: 'OPENAI_API_KEY - Anode: your key has expired.',
    requestedSchema: {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: count }, (_, i) => [`key${i}`, { type: 'string', title: 'the model asks' }]),
      ),
    },
  }) as ElicitRequestParams

it.each([0, 1, 4, 9])('a form of %i fields', async (count) => {
  const asked: UserQuestionnaire[] = []
  const user: UserChannel = {
    async ask(prompt) {
      asked.push(prompt)
      return {
        status: 'answered',
        answers: prompt.questions.map(({ id, options }) =>
          options[0] ? { id, option: options[0].id } : { id, text: 'x' },
        ),
      }
    },
  }
  expect((await askElicitation(form(count), 'docs', user, never)).action).toBe('accept')
  expect(asked).toHaveLength(Math.max(1, Math.ceil(count / 4)))
  for (const { from } of asked) expect(from).toBe('the MCP server docs')
})

it('a field may have the name of the consent and the option no', async () => {
  const params = {
    message: 'Settings',
    requestedSchema: { type: 'object', properties: { accept: { type: 'string', enum: ['yes', 'no'] } } },
  } as ElicitRequestParams
  const user: UserChannel = {
    ask: async () => ({ status: 'answered', answers: [{ id: 'accept', option: 'no' }] }),
  }
  expect(await askElicitation(params, 'docs', user, never)).toEqual({
    action: 'accept',
    content: { accept: 'no' },
  })
  expect(await askElicitation(form(0), 'docs', user, never)).toEqual({ action: 'decline' })
})
