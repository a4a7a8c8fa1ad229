import { storedList } from './stored-list.ts'

export type ChosenList = 'me' | 'all'

// Which list a person last chose in the inbox of a workspace: the tasks for them, or all. Newest last.
const stored = storedList<{ who: string; list: ChosenList }>('lists', 50)
// Not read again, so that the list does not change because another tab shows another one.
let choices: Map<string, ChosenList> | undefined

const read = () => new Map(stored.load().map(({ who, list }) => [who, list]))

const keyOf = (userId: string, workspaceId: string) => `${userId} ${workspaceId}`

/** Undefined: they have not chosen yet. */
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
