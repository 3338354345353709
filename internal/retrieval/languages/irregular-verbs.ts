// Irregular forms of English verbs, which the stemmer does not reduce to the verb.
import { once } from '../../base/once.ts'

/**
 * Verbs with their irregular forms, one verb per line. Forms that are also another word are not listed, such
 * as "left", "bound" and the adjective "broken". "Written" is not listed either: a question mostly asks how
 * something is spelled, while "write" in a program means output.
 */
const table = `
become became
begin began begun
break broke
bring brought
build built
buy bought
catch caught
choose chose chosen
come came
deal dealt
do did done
draw drew drawn
fall fell fallen
feed fed
find found
forget forgot forgotten
freeze froze frozen
get got gotten
give gave given
go went gone
grow grew grown
hang hung
hear heard
hide hid hidden
hold held
keep kept
know knew known
learn learnt
lose lost
make made
mean meant
meet met
override overrode overridden
overwrite overwrote overwritten
pay paid
rise rose risen
run ran
say said
see saw seen
seek sought
sell sold
send sent
shake shook shaken
show showed shown
shrink shrank shrunk
sleep slept
speak spoke spoken
spend spent
steal stole stolen
stick stuck
sweep swept
take took taken
tell told
think thought
throw threw thrown
understand understood
undo undid undone
wake woke woken
wear wore worn
win won
withdraw withdrew withdrawn
`

const formsOf = once(() => {
  const out = new Map<string, readonly string[]>()
  for (const line of table.trim().split('\n')) {
    const forms = line.split(' ')
    for (const form of [...forms, ...listRegularForms(forms[0] as string)]) out.set(form, forms)
  }
  return out
})

/** Returns the forms of a verb with -s and -ing in every spelling; one of each is right. */
const listRegularForms = (verb: string): string[] => [
  `${verb}s`,
  `${verb}es`,
  `${verb}ing`,
  `${verb.replace(/e$/, '')}ing`,
  `${verb}${verb.at(-1)}ing`,
]

/**
 * Returns the infinitive and the irregular forms of an English verb in the list. `lower` is one of these
 * forms, or a form with -s or -ing, in lower case. Returns only `lower` itself for any other word.
 */
export const listVerbForms = (lower: string): readonly string[] => formsOf().get(lower) ?? [lower]
