// Chat streams that are complete while the connection stays open, with each way to write and frame their end.
const chunk = (delta: unknown, finish_reason: string | null = null) =>
  JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })
const text = chunk({ role: 'assistant', content: 'whole answer' })
const stop = chunk({}, 'stop')
const usage = JSON.stringify({ choices: [], usage: { prompt_tokens: 20, completion_tokens: 2 } })

const event = (data: string, end = '\n\n') => `data: ${data}${end}`

/** By what is odd about them. */
export const heldStreams: Readonly<Record<string, string>> = {
  'the reason and [DONE]': event(text) + event(stop) + event('[DONE]'),
  'the reason alone': event(text) + event(stop),
  'the reason in the event of the text': event(chunk({ content: 'whole answer' }, 'stop')) + event('[DONE]'),
  'the reason, then the usage': event(text) + event(stop) + event(usage) + event('[DONE]'),
  'the reason, then the usage, without [DONE]': event(text) + event(stop) + event(usage),
  'the usage in the event of the reason':
    event(text) + event(stop.replace(/}$/, ',"usage":{"prompt_tokens":20,"completion_tokens":2}}')),
  'CR LF': event(text, '\r\n\r\n') + event(stop, '\r\n\r\n') + event('[DONE]', '\r\n\r\n'),
  'no blank after data': `data:${text}\n\ndata:${stop}\n\ndata:[DONE]\n\n`,
  'blanks around [DONE]': `${event(text)}${event(stop)}data:  [DONE] \n\n`,
  'no blank line before [DONE]': `${event(text)}data: ${stop}\ndata: [DONE]\n\n`,
  'names of events': `event: message\n${event(text)}event: message\n${event(stop)}event: done\n${event('[DONE]')}`,
  'comments between': `: open\n\n${event(text)}: wait\n\n${event(stop)}: wait\n\n${event('[DONE]')}: wait\n\n`,
  'a comment after the end': `${event(text)}${event(stop)}${event('[DONE]')}: wait\n\n`,
  'ids and retries': `id: 1\nretry: 10\n${event(text)}id: 2\n${event(stop)}id: 3\n${event('[DONE]')}`,
  'an empty delta after the reason': event(text) + event(stop) + event(chunk({})) + event('[DONE]'),
  'the reason twice': event(text) + event(stop) + event(stop) + event('[DONE]'),
}
