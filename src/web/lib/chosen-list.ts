import { storedList } from './stored-list.ts'

export type ChosenList = 'me' | 'all'

// Which list each person last chose in the inbox of each workspace: `me`, the tasks assigned to them
// or their groups, or `all`. `who` names the person and the workspace, see `keyOf`.
const stored = storedList<{ who: string; list: ChosenList }>('lists', 50)
// Read once, so that a choice in another tab does not change the list of this one.
let choices: Map<string, ChosenList> | undefined

const read = () => new Map(stored.load().map(({ who, list }) => [who, list]))

const keyOf = (userId: string, workspaceId: string) => `${userId} ${workspaceId}`

/** Undefined if the person has not chosen yet. */
export function chosenList(userId: string, workspaceId: string): ChosenList | undefined {
  choices ??= read()
  return choices.get(keyOf(userId, workspaceId))
}

export function rememberList(userId: string, workspaceId: string, list: ChosenList): void {
  const who = keyOf(userId, workspaceId)
  choices ??= read()
  choices.set(who, list)
  stored.add({ who, list }, (other) => other.who === who)
}
