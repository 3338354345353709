// Which programs are named as connecting to a server, and which of the same names are not.
import { expect, test } from 'vitest'
import { isConnecting } from '../../../../../internal/policy/shell/programs/connecting.ts'

const words = (line: string) => line.split(' ')

test.each([
  ...['curl u', '/usr/bin/curl u', 'wget u', 'ssh h', 'scp a h:b', 'nc h 1', 'dig x', 'ping x', 'http u'],
  ...[
    'npm i',
    'npm ci',
    'pnpm install',
    'yarn add x',
    'pip install x',
    'pip3 download x',
    'uv pip install x',
  ],
  ...['cargo fetch', 'go get x', 'go mod tidy', 'bundle install', 'apt-get update', 'docker pull x', 'gh pr'],
  ...['rsync a h:b', 'rsync -a h::m b', 'rsync rsync://h/m b'],
])('%s connects', (line) => {
  expect(isConnecting(words(line))).toBe(true)
})

test.each([
  ...['curlish u', 'npm test', 'npm run build', 'pip list', 'cargo build', 'go test', 'docker ps', 'make'],
  ...['rsync -a a b', 'rsync a ./b:c', 'sshd', 'hostname', 'node curl'],
  ...['ghc Main.hs', 'npm installer', 'awsome', 'docker searchlight', 'kubectlx get', 'brew updates'],
])('%s does not', (line) => {
  expect(isConnecting(words(line))).toBe(false)
})
