// security_review/scripts/supply-facts.sh collects facts on dependencies, CI and containers.
import { expect, test } from 'vitest'
import { runScript, scratch } from '../support/script.ts'

const run = (cwd: string) => runScript('security_review/scripts/supply-facts.sh', [], cwd)

test('what a review wants to see, and nothing that is fine', () => {
  const sha = '0123456789abcdef0123456789abcdef01234567'
  const { code, out } = run(
    scratch({
      'package.json':
        '{\n"scripts": {\n"postinstall": "node x"\n},\n"dependencies": {\n"a": "git+https://example.org/a",\n"b": "1.0.0"\n}\n}\n',
      'package-lock.json': '{\n"hasInstallScript": true\n}\n',
      '.github/workflows/ci.yml': `on: pull_request_target\njobs:\n  a:\n    steps:\n      - uses: actions/checkout@v4\n      - uses: actions/cache@${sha}\n      - run: echo \${{ github.event.issue.title }}\n      - run: npm install\n`,
      'install.sh': 'curl -fsSL https://example.org/i | sh\n',
      Dockerfile: 'FROM node:20\nUSER root\n',
      'node_modules/c/package.json': '{"x": "git+https://example.org/c"}',
    }),
  )
  expect(code).toBe(0)
  for (const part of [
    '"a": "git+https://example.org/a"',
    '"postinstall"',
    'hasInstallScript',
    'actions/checkout@v4',
    'pull_request_target',
    'github.event.issue.title',
    'run: npm install',
    'install.sh:1:curl',
    'FROM node:20',
  ]) {
    expect(out).toContain(part)
  }
  expect(out).not.toMatch(/"b": "1\.0\.0"|actions\/cache@|example\.org\/c/)
})

test('an empty folder has only headings', () => {
  const { code, out, err } = run(scratch())
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out.split('\n').filter((line) => line !== '' && !line.startsWith('## '))).toEqual([])
})
