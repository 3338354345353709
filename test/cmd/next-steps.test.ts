// Mistyped commands, run with the built program: each prints one line about the mistake, then the next step.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Done, type World, world } from '../support/anode.ts'
import { openScreenWorld, typeLine } from '../support/screen-program.ts'

/** Command, the mistake in the first line, and the next step in the second. */
const rows: readonly (readonly [line: string, mistake: RegExp, next: RegExp])[] = [
  // flags of other programs and other spellings
  ['-V', /unknown flag -V, use anode --version/, /anode execute --help/],
  ['--verison', /--verison, use anode --version/, /--help/],
  ['tools list -V', /-V, use anode --version/, /tools list --help/],
  ['-r last', /-r, use --resume/, /--help/],
  ['--mode plan', /--mode, use --approval, or --plan/, /--help/],
  ['execute hi --permission-mode x', /use --approval/, /--help/],
  ['runs start hi --mode auto', /--mode, use --approval/, /--help/],
  ['execute hi --yolo', /--yolo, use --approval unrestricted/, /--help/],
  ['runs start hi --dangerously-skip-permissions', /use --approval unrestricted/, /--help/],
  ['--theme dark', /--theme, use anode config set ui\.theme NAME/, /--help/],
  ['execute hi --cwd x', /--cwd, use -C DIR/, /--help/],
  ['runs list --everywere', /did you mean --everywhere\?/, /--help/],
  ['serve --prot 80', /did you mean --port\?/, /--help/],
  ['tools use read --args {}', /unknown flag --args/, /did you mean --arg\?/],
  ['models --provider x', /unknown flag --provider/, /--provider is for anode models list/],
  ['-C . tools list', /unknown command -C/, /anode tools … -C/],
  // words in place of flags
  ['trust status', /unexpected word: status, did you mean --status\?/, /anode trust --help/],
  ['trust revoke', /did you mean --revoke\?/, /anode trust --help/],
  ['undo --al', /unknown flag --al/, /anode undo/],
  ['models all', /did you mean --all\?/, /anode models list/],
  // unknown commands
  ['hepl', /unknown command hepl/, /did you mean help\?/],
  ['versoin', /unknown command versoin/, /did you mean version\?/],
  ['exicute hi', /unknown command exicute/, /did you mean execute\?/],
  ['upgrade', /unknown command upgrade/, /npm/],
  ['chat', /unknown command chat/, /anode opens a session/],
  ['fix the bug please', /unknown command fix/, /anode "fix the bug please"/],
  ['redo', /unknown command redo/, /anode undo --redo/],
  ['read', /unknown command read/, /anode tools use read/],
  ['config get model', /unknown command config get/, /^anode config list$/],
  ['config show', /config show/, /^anode config list$/],
  ['config edit', /config edit/, /anode config path/],
  ['config rm model', /config rm/, /did you mean unset\?/],
  ['threads ls', /threads ls/, /did you mean list\?/],
  ['threads rm x', /threads rm/, /did you mean delete\?/],
  ['threads resume x', /threads resume/, /anode --resume THREAD/],
  ['threads rename x y', /threads rename/, /\/rename TITLE/],
  ['runs stop x', /runs stop/, /anode runs cancel RUN/],
  ['runs kill x', /runs kill/, /anode runs cancel RUN/],
  ['runs logs x', /runs logs/, /anode attach RUN/],
  ['runs attach x', /runs attach/, /^anode attach RUN$/],
  ['tools read', /unknown command tools read/, /anode tools use read/],
  ['tools call read', /tools call/, /anode tools use NAME/],
  ['mcp start x', /mcp start/, /anode mcp tools NAME/],
  ['mcp rm x', /mcp rm/, /did you mean remove\?/],
  ['cron start', /cron start/, /anode cron run/],
  ['cron delete x', /cron delete/, /did you mean remove\?/],
  ['research start', /research start/, /anode research init/],
  ['permissions add x', /permissions add/, /anode manual permissions/],
  ['skills install x', /skills install/, /anode manual instructions-and-skills/],
  ['plugins install x', /plugins install/, /anode manual plugins/],
  ['profiles use x', /profiles use/, /--profile NAME/],
  ['lsp restart', /lsp restart/, /anode lsp doctor/],
  ['serve status', /unexpected word: status/, /anode serve --open/],
  ['config set model notaurl', /unknown model notaurl/, /PROVIDER\/MODEL, such as .*anode models --all/],
  ['config set model gpt-5.4', /did you mean openai\/gpt-5\.4\?/, /anode models --all/],
  ['models set x', /unexpected words: set x/, /anode config set model/],
  ['models anthropic', /unexpected word: anthropic/, /--provider NAME/],
  ['study reprot last', /no command reprot/, /anode study report last/],
  ['build lst', /no command lst/, /anode build list\? To use it as a goal: anode build -- lst/],
  ['build statsu last', /no command statsu/, /anode build status last/],
  // values
  ['config set providers.demo.baseUrl notaurl', /baseUrl is not a valid URL: notaurl/, /https:\/\/host/],
  ['config set providers.demo.baseUrl ftp://a.b', /not a valid URL: ftp/, /https:\/\/host/],
  ['config set web.searxngUrl nowhere', /searxngUrl is not a valid URL/, /https:\/\/host/],
  [`config set providers.x {"baseUrl":"x"}`, /providers\.x\.baseUrl is not a valid URL: x/, /https:\/\/host/],
  ['config set modle x', /did you mean model\?/, /anode config schema/],
  ['config set ui.theme pink', /must be one of auto, dark/, /anode config schema/],
  ['config set model', /VALUE is missing/, /anode config set KEY VALUE/],
  ['config unset nonesuch', /unknown key nonesuch/, /anode config schema/],
  ['execute hi --approval nonesuch', /must be one of ask, edits/, /--help/],
  ['execute hi --max-turns many', /must be a number, got many/, /--help/],
  ['execute hi --timeout soon', /soon is not a length of time/, /90s, 20m or 1h/],
  ['execute hi --model nonesuch', /unknown model nonesuch/, /Providers: anthropic/],
  ['execute hi --model openai/x', /openai needs a key/, /anode login openai/],
  ['execute hi --model custom/x', /custom has no URL/, /anode config set providers\.custom\.baseUrl https/],
  ['execute hi --profile nonesuch', /unknown profile nonesuch/, /craft/],
  ['execute hi --image nowhere.png', /nowhere\.png does not exist/, /file/],
  ['execute hi --fork nonesuch', /no thread named nonesuch/, /anode threads list/],
  ['execute', /no task was given/, /anode execute "/],
  ['runs start', /no task was given/, /anode runs start "/],
  ['-c', /no thread is stored yet/, /anode "your message"/],
  ['threads export last', /no thread is stored yet/, /anode "your message"/],
  ['attach', /no runs yet/, /anode runs start/],
  ['runs cancel nonesuch', /unknown run "nonesuch"/, /anode runs list/],
  ['login antropic', /not a provider that takes a key/, /did you mean anthropic\?/],
  ['login', /provider has to be named/, /anode login PROVIDER/],
  ['logout nonesuch', /not a provider/, /providers: anthropic/],
  ['tools show raed', /unknown tool "raed"/, /nearest: read/],
  ['tools use raed', /unknown tool raed/, /nearest: read/],
  ['tools use read --arg path', /expected KEY=VALUE/, /--arg path=README\.md/],
  ['mcp add x', /--url of the server is missing/, /anode mcp add NAME --/],
  ['mcp show nonesuch', /unknown MCP server/, /anode mcp list/],
  ['cron add everyday --execute x', /invalid schedule "everyday"/, /@daily/],
  ['cron add @daily', /nothing to run/, /--execute TASK/],
  ['permissions forget 99', /answer 99 not found/, /anode permissions list/],
  ['usage --since never', /not a point in time/, /7d, 12h/],
  ['serve --port 99999999', /is not a port/, /--port 0/],
  ['study status', /no study in this project yet/, /anode study "/],
  ['study --output x why not', /x has no ending/, /\.md, \.txt/],
  ['research run', /no experiment session/, /anode research init/],
  ['skills show nonesuch', /unknown skill/, /anode skills list/],
  ['hooks test nonesuch', /unknown event/, /PreToolUse/],
  ['completion tcsh', /must be one of bash, zsh, fish/, /completion --help/],
  ['manual nonesuch', /no page nonesuch/, /anode manual/],
]

let w: World
const done = new Map<string, Done>()

beforeAll(async () => {
  w = world()
  const lines = rows.map(([line]) => line)
  const work = async () => {
    for (let line = lines.pop(); line !== undefined; line = lines.pop())
      done.set(line, await w.anode(line.split(' ')))
  }
  await Promise.all([work(), work(), work()])
}, 120_000)
afterAll(() => w.remove())

it.each(rows)('anode %s', (line, mistake, next) => {
  const { code, out, err } = done.get(line) as Done
  expect({ code, out }, err).toEqual({ code: 2, out: '' })
  const [first = '', ...rest] = err.trimEnd().split('\n')
  expect(first).toMatch(mistake)
  expect(rest).toHaveLength(1)
  expect(rest[0]).toMatch(next)
})

/** Lines of a session and the reply, in the order in which they are typed. */
const typed: readonly (readonly [line: string, reply: RegExp])[] = [
  ['/nonsense', /unknown command \/nonsense; \/help lists them/],
  ['/contex', /did you mean \/context\?/],
  ['/stop now', /nothing|no run|takes no argument/],
  ['/mode foo', /unknown mode "foo"; plan, ask/],
  ['/mode edit', /unknown mode "edit"; did you mean edits\?/],
  ['/effort much', /unknown effort "much"; none/],
  ['/profile nonesuch', /unknown profile nonesuch/],
  ['/model nonesuch/x', /unknown model nonesuch\/x/],
  ['/model openai/x', /openai needs a key[\s\S]*anode login openai/],
  ['/rename', /\/rename needs TITLE/],
  ['/search', /\/search needs WORDS/],
  ['/add-dir', /\/add-dir needs DIR/],
  ['/add-dir nowhere', /nowhere/],
  ['/image', /\/image needs FILE/],
  ['/image nowhere.png', /nowhere\.png/],
  ['/new x', /\/new takes no argument/],
  ['/undo 3', /\/undo takes no argument/],
  ['/undo', /undo/],
  ['/redo', /redo|nothing/],
  ['/rewind', /no messages yet/],
  ['/resume nonesuch', /no thread named nonesuch[\s\S]*anode threads list/],
  ['/fork x', /no messages yet/],
  ['/queue', /[Nn]othing is queued|no messages/],
  ['/answer', /nothing waits for an answer/],
  ['/copy 9', /no answer|nothing|copy/],
  ['/screen wide', /anode --resume \S+ --screen inline/],
  ['/permissions forget s9', /no rule s9/],
  ['/tools shwo read', /did you mean show\?[\s\S]*ended with exit code 2/],
  ['/config set modle x', /did you mean model\?[\s\S]*ended with exit code 2/],
  ['/mcp show nonesuch', /unknown MCP server nonesuch[\s\S]*ended with exit code 2/],
  ['!', /type a command after !/],
]

it('slash commands of a session print the next step', async () => {
  const { start } = openScreenWorld([])
  const screen = start(['--screen', 'plain', '--model', 'builtin/extract'], { columns: 200, rows: 50 })
  await screen.until(/lists the commands/)
  for (const [line, reply] of typed) {
    const before = screen.bytes().length
    await typeLine(screen, line)
    await screen.until(() => reply.test(screen.bytes().slice(before + line.length)), 20_000)
  }
}, 120_000)
