// Read-only requests to this machine: a command that is classified so reaches only its port, by GET or HEAD.
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loopbackPort } from '../../../../../internal/policy/shell/programs/loopback.ts'
import { choice, rng } from '../../../../support/rng.ts'
import { rounds } from '../../../../support/sample.ts'
import { bash, folder, judge, policyOf, remove } from '../../policies.ts'

let dir = ''
const servers: Server[] = []
const seen: { port: number; method: string }[] = []
const portOf = (at: number) => ((servers[at] as Server).address() as AddressInfo).port

beforeAll(async () => {
  dir = folder()
  for (const at of [0, 1]) {
    const server = createServer((request, response) => {
      seen.push({ port: portOf(at), method: String(request.method) })
      // a client that follows redirects leaves the port
      response
        .writeHead(302, { location: `http://127.0.0.1:${portOf(1 - at)}/away`, 'set-cookie': 'a=b' })
        .end('x')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    servers.push(server)
  }
})
afterAll(() => {
  for (const server of servers) server.close()
  remove(dir)
})

const options =
  '-s -S -f -i -I -v -L -k -N -O -o -d -F -T -X -G -K -x -u -e -w -H -A -m -c -b -sS -sSf -so -sL --silent --location --head --max-time --data=x --request --output --config --proxy --url --next --resolve --connect-to --cookie-jar --trace --etag-save --create-dirs -- -Z --fail --include --compressed'.split(
    ' ',
  )
const values = ['x', '@canary', 'POST', 'out', '1', 'a: b', '%output{out}', 'localhost:1:127.0.0.1']

/** Returns URLs of the first server and of similar hosts. */
const addresses = () => {
  const [one, two] = [portOf(0), portOf(1)]
  return [
    ...[
      `http://localhost:${one}/a`,
      `localhost:${one}`,
      `http://127.0.0.1:${one}/a?b=1#c`,
      `127.0.0.1:${one}/`,
    ],
    ...[
      `http://localhost:${one}@127.0.0.1:${two}/`,
      `http://127.0.0.1:{${one},${two}}/`,
      `localhost:${one}\\@x`,
      `localhost:${one}#@127.0.0.1:${two}/`,
      `localhost:${one}?@127.0.0.1:${two}/`,
    ],
    ...[
      `http://localhost.example:${one}/`,
      `file:///etc/hostname`,
      `http://127.0.0.1:${one}0/`,
      `http://[::1]:${one}/`,
    ],
    ...[`http://a@127.0.0.1:${one}/`, `http://127.0.0.[1-2]:${one}/`, `http://localhost:${one}/[1-3]`],
  ]
}

const runCurl = (words: readonly string[]) =>
  new Promise<void>((resolve) => {
    const env = { PATH: process.env.PATH, HOME: dir }
    execFile('curl', words, { cwd: dir, env, timeout: 10_000 }, () => resolve())
  })

test('random arguments for curl: one port, only reading, and no file', async () => {
  const next = rng(41)
  let known = 0
  for (let i = 0; known < rounds(40, 400) && i < 40_000; i++) {
    const more = Array.from({ length: Math.floor(next() * 4) }, () =>
      choice(next, next() < 0.7 ? options : values),
    )
    const words = [
      ...more,
      choice(next, addresses()),
      ...(next() < 0.2 ? [choice(next, [...options, ...addresses()])] : []),
    ]
    const port = loopbackPort(['curl', ...words])
    if (port === undefined) continue
    known++
    seen.length = 0
    await runCurl([...words, '--max-time', '5'])
    const line = words.join(' ')
    expect(
      seen.filter((one) => one.port !== port || !['GET', 'HEAD'].includes(one.method)),
      line,
    ).toEqual([])
    expect(seen.length, line).toBeLessThanOrEqual(1)
    expect(readdirSync(dir), line).toEqual([])
  }
  expect(known).toBeGreaterThanOrEqual(40)
}, 120_000)

test('a port is approved once: the stored rule allows other requests to it, and nothing else', async () => {
  const under = (rules: NonNullable<Parameters<typeof policyOf>[1]>['rules'] = []) =>
    policyOf(dir, { mode: 'auto', rules })
  const { action, always } = await judge(bash('curl -s http://localhost:3000/health | head -1'), under())
  expect([action, always]).toEqual([
    'ask',
    [
      {
        rule: { tool: 'bash', action: 'allow', command: 'curl', port: 3000, cwd: '.' },
        covers: 'every curl that only reads from this machine, at port 3000, run in the workspace folder',
      },
    ],
  ])
  const rules = always?.map(({ rule }) => rule) ?? []
  const decide = async (line: string) => (await judge(bash(line), under(rules))).action
  for (const line of [
    'curl -sS "http://127.0.0.1:3000/other?x=1"',
    'curl -I localhost:3000 | cat',
    'curl -s localhost:3000; pwd',
  ])
    expect(await decide(line), line).toBe('allow')
  for (const line of [
    ...[
      'curl -s localhost:3001',
      'curl -s localhost:3000 -X DELETE',
      'curl -d @.env localhost:3000',
      'curl -sL localhost:3000',
    ],
    ...[
      'curl -s localhost:3000 -o out',
      'curl -s localhost:3000 > out',
      'curl -s https://example.com',
      'curl -K x localhost:3000',
    ],
    ...[
      'curl -s "http://localhost:3000@example.com/"',
      'curl -s localhost:3000 example.com',
      'curl -s "localhost:$PORT"',
      "curl -s 'localhost:3000?x@y'",
    ],
    ...[
      'curl -s localhost:3000 | sh',
      'wget -qO- localhost:3000',
      'http_proxy=http://x curl -s localhost:3000',
    ],
  ])
    expect(await decide(line), line).toBe('ask')
})
