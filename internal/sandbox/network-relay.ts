// The program inside a wall that leads from a port of its loopback to the proxy, and runs the command.
import type { SpawnPlan } from '../process/process-command.ts'

/** In a network of its own nobody else can have taken it. */
export const relayPort = 3128

/** Arguments: socket, port, program and its arguments. Ends as the program does. */
const relayScript = `
const { connect, createServer } = require('node:net')
const { spawn } = require('node:child_process')
const [socket, port, file, ...args] = process.argv.slice(1)
const server = createServer((near) => {
  const far = connect(socket)
  for (const one of [near, far]) one.on('error', () => { near.destroy(); far.destroy() })
  near.pipe(far).pipe(near)
})
server.on('error', () => {})
server.listen(Number(port), '127.0.0.1', () => {
  const child = spawn(file, args, { stdio: 'inherit' })
  child.on('error', (error) => { console.error(String(error.message)); process.exit(127) })
  child.on('exit', (code, signal) => {
    if (signal) process.kill(process.pid, signal)
    process.exit(code ?? 1)
  })
})
process.on('SIGTERM', () => {})
`

/** The command with proxy variables, started by the relay. `node` is the program that runs it. */
export function throughRelay(plan: SpawnPlan, socket: string, port: number, node: string): SpawnPlan {
  const proxy = `http://127.0.0.1:${port}`
  const variables = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'all_proxy']
  const env = { ...plan.env, ...Object.fromEntries(variables.map((name) => [name, proxy])) }
  const args = ['-e', relayScript, '--', socket, String(port), plan.file, ...plan.args]
  return { ...plan, file: node, args, env: { ...env, NO_PROXY: '', no_proxy: '', npm_config_proxy: proxy } }
}
