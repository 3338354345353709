// Runners of tests, builds and checks.
import { expect, test } from 'vitest'
import { judgeBuilder, localName } from '../../../../../internal/policy/shell/programs/builders.ts'

test('recognizes programs of the workspace by their path', () => {
  expect(localName('node_modules/.bin/tsc')).toBe('tsc')
  expect(localName('./node_modules/.bin/tsc')).toBe('tsc')
  expect(localName('./gradlew')).toBe('gradlew')
  for (const path of [
    '/node_modules/.bin/tsc',
    '../node_modules/.bin/tsc',
    'node_modules/.bin/../x',
    './tsc',
    'gradlew/x',
  ]) {
    expect(localName(path), path).toBeUndefined()
  }
})

test.each([
  ['npm test', []],
  ['npm run test:unit -- --coverage=x', ['x']],
  ['python -m pytest tests/a.py', ['tests/a.py']],
  ['make -j8 check', ['check']],
  ['./gradlew :app:test', ['./gradlew', ':app:test']],
  ['node --test a', ['a']],
  ['watch', undefined],
  ['npm run deploy:test', undefined],
  ['npm run', undefined],
  ['npm', undefined],
  ['npm run test:deploy', undefined],
  ['python -m http.server', undefined],
  ['tsc script', ['script']],
  ['jest --watch=true', undefined],
  ['jest --watch=false', ['false']],
  ['composer test', undefined],
  ['npm script', undefined],
  ['npm test --script', undefined],
] as const)('%s names %j', (line, files) => {
  expect(judgeBuilder(line.split(' '))).toEqual(files)
})
