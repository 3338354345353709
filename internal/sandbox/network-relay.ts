// Relay program, which runs in a sandbox. It forwards connections from a local port to the socket of the
// proxy, and starts the command.
import type { SpawnPlan } from '../process/process-command.ts'

/** Port on which the relay listens. In a separate network no other program can use that port. */
export const relayPort = 3128

/**
 * Script of the relay. Its arguments are the socket of the proxy, the port (0: a free port, which is then set
 * in the variables), the program and the program's arguments. It ends with the exit code or the signal of the
 * program. The code is 126 if it cannot listen and 127 if the program cannot start.
 */
const relayScript = `
const { connect, createServer } = require('node:net')
const { spawn } = require('node:child_process')
const { basename, dirname } = require('node:path')
const [socket, port, file, ...args] = process.argv.slice(1)
const cwd = process.cwd()
// the whole path may be longer than the system allows for a socket
process.chdir(dirname(socket))
const server = createServer((near) => {
  const far = connect(basename(socket))
  for (const one of [near, far]) one.on('error', () => { near.destroy(); far.destroy() })
  near.pipe(far).pipe(near)
})
server.on('error', (error) => { console.error(String(error.message)); process.exit(126) })
server.listen(Number(port), '127.0.0.1', () => {
  const free = String(server.address().port)
  for (const [name, value] of Object.entries(process.env))
    if (/proxy$/i.test(name)) process.env[name] = value.replace(/:0$/, ':' + free)
  const child = spawn(file, args, { stdio: 'inherit', cwd })
  child.on('error', (error) => { console.error(String(error.message)); process.exit(127) })
  child.on('exit', (code, signal) => {
    if (signal) process.kill(process.pid, signal)
    process.exit(code ?? 1)
  })
})
process.on('SIGTERM', () => {})
`

interface RelayAddress {
  socket: string
  port: number
  /** Password of the proxy, which is necessary if other commands can reach the port. */
  password?: string | undefined
}

/**
 * Returns a plan that starts the relay. The relay runs the command with environment variables that name the
 * proxy. `node` is the path of Node.js, which runs the relay.
 */
export function throughRelay(
  plan: SpawnPlan,
  { socket, port, password }: RelayAddress,
  node: string,
): SpawnPlan {
  const user = password === undefined ? '' : `${password}:${password}@`
  const proxy = `http://${user}127.0.0.1:${port}`
  const variables = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'all_proxy']
  const env = { ...plan.env, ...Object.fromEntries(variables.map((name) => [name, proxy])) }
  // With a password the network is shared with the session's jobs, and their servers must be reached
  // without the proxy.
  const direct = password === undefined ? '' : 'localhost,127.0.0.1,::1'
  const without = { NO_PROXY: direct, no_proxy: direct }
  const args = ['-e', relayScript, '--', socket, String(port), plan.file, ...plan.args]
  return { ...plan, file: node, args, env: { ...env, ...without, npm_config_proxy: proxy } }
}
