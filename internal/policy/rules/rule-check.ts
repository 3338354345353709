// The check of permission rules when they are loaded: each rule must match the examples that the user
// wrote for it.
import { messageOf, UserError } from '../../base/errors.ts'
import { objectOf, parseJson } from '../../base/untrusted-json.ts'
import type { PolicyCall } from '../policy.ts'
import { analyzeLine } from '../shell/line-analysis.ts'
import type { PermissionRule } from './permission-rule.ts'
import {
  commandFits,
  globFault,
  hostFits,
  isRestrictive,
  literalPath,
  patternWords,
  placeFits,
  ruleConcerns,
} from './rule-match.ts'

/**
 * Rejects with UserError at the first rule that cannot work or fails one of its examples. The message names
 * the rule and the example. An example is a command line if the rule has `command`, else a path, else a host.
 * For a rule with `args` it is the JSON of arguments, else the name of a tool.
 */
export async function checkRules(rules: readonly PermissionRule[]): Promise<void> {
  for (const [i, rule] of rules.entries()) {
    const name = `permission rule ${i + 1} (${titleOf(rule)})${rule.origin ? ` in ${rule.origin}` : ''}`
    const wrong = findFault(rule)
    if (wrong) throw new UserError(`${name}: ${wrong}`)
    for (const example of rule.examples?.match ?? []) await checkExample(rule, example, true, name)
    for (const example of rule.examples?.no_match ?? []) await checkExample(rule, example, false, name)
  }
}

async function checkExample(
  rule: PermissionRule,
  example: string,
  shouldMatch: boolean,
  name: string,
): Promise<void> {
  if (conditionOf(rule) === 'args' && argumentsOf(example) === undefined)
    throw new UserError(`${name}: the example ${JSON.stringify(example)} is not a JSON object`, {
      hint: 'write the arguments of a call as the example, such as {"path":"notes.md"}',
    })
  if ((await matchesExample(rule, example)) === shouldMatch) return
  const verb = shouldMatch ? 'should match its example' : 'should not match its example'
  throw new UserError(`${name} ${verb} ${JSON.stringify(example)}`, {
    hint: `change the ${conditionOf(rule)} of the rule or the example`,
  })
}

const titleOf = (rule: PermissionRule) =>
  [rule.action, rule.tool, rule.command, rule.path, rule.host].filter((part) => part !== undefined).join(' ')

function conditionOf(rule: PermissionRule): string {
  return (['command', 'path', 'host', 'args'] as const).find((key) => rule[key] !== undefined) ?? 'tool'
}

/** Returns the fault that makes a rule useless before any example is checked; undefined without one. */
function findFault(rule: PermissionRule): string | undefined {
  const unreadable = [rule.path ?? [], rule.cwd ?? []].flat().map(ruleGlobFault).find(Boolean)
  if (unreadable) return unreadable
  if (rule.host !== undefined && !/^(?:[\p{L}\p{N}._*?-]+|\[?[\da-f:.*?]+\]?)$/iu.test(rule.host))
    return `${JSON.stringify(rule.host)} is not a host name; only * and ? are wildcards`
  const words = rule.command === undefined ? undefined : patternWords(rule.command)
  const star = words?.find((word) => word.includes('*'))
  if (star !== undefined)
    return `* matches further words only at the end of a command, not in ${JSON.stringify(star)}`
  if (rule.cwd !== undefined && rule.command === undefined)
    return 'cwd is the directory of a command, and the rule has no command'
  if (rule.port !== undefined && (rule.command !== 'curl' || isRestrictive(rule)))
    return 'port narrows a rule that allows the command curl'
  if (rule.command === '=' || rule.command?.trim() === '') return 'the command is empty'
  for (const [arg, pattern] of Object.entries(rule.args ?? {})) {
    const regex = /^\/(.*)\/([imsu]*)$/s.exec(pattern)
    if (!regex) continue
    try {
      new RegExp(regex[1] as string, regex[2])
    } catch (error) {
      return `the pattern of ${arg} is not a regular expression (${messageOf(error)})`
    }
  }
  return undefined
}

/** Returns the fault of a path pattern; undefined without one. A leading `~/` is checked as `/`. */
const ruleGlobFault = (pattern: string) => globFault(pattern.replace(/^~\//, '/'))

/** Returns the arguments of an example call; undefined if they are not a JSON object. */
const argumentsOf = (example: string) => objectOf(parseJson(example))

async function matchesExample(rule: PermissionRule, example: string): Promise<boolean> {
  switch (conditionOf(rule)) {
    case 'command':
      return commandExample(rule, example)
    case 'path':
      return pathExample(rule, example)
    case 'host':
      return hostFits(rule, example)
    case 'args':
      return ruleConcerns(rule, callOf(sampleToolName(rule), argumentsOf(example) ?? {}), policyOf(rule))
    default:
      return ruleConcerns(rule, callOf(example, {}), policyOf(rule))
  }
}

/**
 * Returns true if the rule matches an example line. A rule that allows has to match every simple command of
 * the line; a rule that denies or asks has to match at least one.
 */
async function commandExample(rule: PermissionRule, line: string): Promise<boolean> {
  if (rule.command === `=${line}`) return true
  const { parts, opaque } = await analyzeLine(line)
  if (isRestrictive(rule)) return parts.some((part) => commandFits(rule, part, line) === 'yes')
  const plain = opaque === undefined && parts.length > 0 && parts.every((part) => part.opaque === undefined)
  return plain && parts.every((part) => commandFits(rule, part, line) === 'yes')
}

function pathExample(rule: PermissionRule, path: string): boolean {
  const real = path.startsWith('/') ? path : `/workspace/${path.replace(/^\.\//, '')}`
  const place = { given: path, named: real, real, exists: true, root: '/workspace', shown: path }
  return placeFits(rule, place, '/workspace', '/home/user')
}

/** Returns a tool name that the tool pattern of the rule matches. */
const sampleToolName = (rule: PermissionRule) =>
  literalPath(rule.tool) ?? rule.tool.replaceAll('*', 'x').replaceAll('?', 'x')

const callOf = (tool: string, args: PolicyCall['args']): PolicyCall => ({
  tool,
  level: 'confirm_execute',
  args,
  scope: [],
})

const policyOf = (rule: PermissionRule) => ({
  profile: rule.profile ?? 'any',
  agent: rule.agent ?? ('thread' as const),
})
