// Commands with text that the grammar skips between tokens, in every position of a template.

/** Comments in the grammar that the shell may read as a word, and then run `evil`. */
const comments = ['#$(evil)\n', '#`evil`\n', '#;evil\n', '#|evil\n', '#&evil\n', '#\nevil\n', '#']

/** Text that joins lines, or that only one of shell and grammar treats as a space. */
const joints = ['\\\n', '\\\r\n', '\\ ', '\\\t', '\\\v', '\\\f', '\n', '\t', '\v', '\r', ' ']

/** The same joints followed by another command. */
const joined = ['\\\n;evil\n', '\\\n#$(evil)\n', '\\ #;evil\n', ' #;evil\n', '\n#`evil`\n', '\\\n$(evil)']

export const extras: readonly string[] = [...comments, ...joints, ...joined]

/** One command for each construct of the shell. Its programs only print. */
export const templates: readonly string[] = [
  ...['x=1', 'x+=1', 'x=', 'x=1 echo a', 'x=a y=b', 'x=$(echo a)', 'x="a b"', "x='a'", 'x=(a b)', 'x[1]=a'],
  ...['export x=1', 'declare -x x=1', 'local x=1', 'readonly x=1', 'typeset x', 'unset x', 'f=a;echo $f'],
  ...[
    'echo a b',
    'echo "a b"',
    "echo 'a'b",
    'echo "$x" ${x}',
    'echo ${x:-a}',
    'echo ${#x} ${x#a}',
    "echo $'a'",
  ],
  ...['echo $((1+2))', '((1+2))', 'echo $[1+2]', 'echo $(echo a)', 'echo `echo a`', 'cat <(echo a)'],
  ...[
    'echo a|cat',
    'echo a|&cat',
    'echo a;echo b',
    'echo a&&echo b||echo c',
    'echo a&',
    '! echo a',
    '(echo a)',
  ],
  ...['{ echo a;}', 'if true;then echo a;else echo b;fi', 'for i in a b;do echo $i;done', 'time echo a'],
  ...['while false;do echo a;done', 'until true;do echo a;done', 'case a in a|b) echo a;;*) echo b;;esac'],
  ...['f(){ echo a;};f', 'function f { echo a;}', '[ a = b ]', '[[ a == b ]]', '[[ a =~ b ]]', 'test a = b'],
  ...[
    'echo a>/dev/null',
    'echo a 2>&1',
    'cat<a.txt',
    'cat <<<a',
    'cat <<E\na\nE',
    "cat <<'E'\na\nE",
    'cat <<-E\n\ta\n\tE',
  ],
  ...[
    'echo {a,b}',
    'echo *.txt',
    'echo a[b]',
    'echo @(a|b)',
    'echo ~',
    'echo a # b',
    'echo a\\ b',
    'set -- a;echo $1',
  ],
]

/** Returns the template with the extra in each of its positions. */
export const withExtra = (template: string, extra: string): string[] =>
  Array.from({ length: template.length + 1 }, (_, at) => template.slice(0, at) + extra + template.slice(at))
