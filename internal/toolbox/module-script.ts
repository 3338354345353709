// The script that runs a module of tools in a separate process, where it describes the tools or calls one.

/**
 * Text of the script. Its arguments are the module's path and, for a call, the tool's name, with `{input,
 * context}` as JSON on standard input. It prints JSON on standard output; output of the module itself goes
 * to standard error.
 */
export const moduleScript = `
import { pathToFileURL } from 'node:url'

const [path, name] = process.argv.slice(1)
const write = process.stdout.write.bind(process.stdout)
process.stdout.write = process.stderr.write.bind(process.stderr)
const end = (value) => write(JSON.stringify(value) ?? 'null', () => process.exit(0))

const describe = (one) => one && typeof one === 'object' && {
  name: one.name,
  description: one.description,
  system_prompt: one.system_prompt,
  input_schema: one.input_schema,
  permission: one.permission,
  timeout_seconds: one.timeout_seconds,
  arity: typeof one.execute === 'function' ? one.execute.length : null,
}

async function readInput() {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk
  return JSON.parse(text)
}

async function callTool(one) {
  const { input, context } = await readInput()
  try {
    const given = await one.execute(input, context)
    return given && typeof given === 'object' ? given : { result: given }
  } catch (error) {
    return { result: String(error?.stack ?? error), is_error: true }
  }
}

try {
  const tools = [(await import(pathToFileURL(path).href)).default].flat()
  if (name === undefined) end(tools.map(describe))
  else end(await callTool(tools.find((one) => one?.name === name)))
} catch (error) {
  const line = String(error?.message ?? error).split('\\n', 1)[0]
  process.stderr.write('\\n' + line + '\\n', () => process.exit(1))
}
`
