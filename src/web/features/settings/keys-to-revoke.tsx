import type { ApiKey } from '../../../contract/api-key.ts'
import { formatAgo } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import checkLineStyles from '../../ui/check-line.module.css'

type Props = {
  keys: ApiKey[]
  isMe: boolean
  keptKeyIds: ReadonlySet<string>
  onKeep: (keyId: string, keep: boolean) => void
}

/** The API keys that a leaving member created. All are selected at first; selected keys are revoked. */
export function KeysToRevoke({ keys, isMe, keptKeyIds, onKeep }: Props) {
  const now = useNow()
  return (
    <fieldset className="below-16 stack">
      <legend className="below-8">
        {isMe ? 'You' : 'They'} created these API keys and may have a copy of each secret. Selected keys are
        revoked: agents that use them stop working until they get a new key.
      </legend>
      {keys.map(({ keyId, name, firstCharacters, lastFour, lastUsedAt }) => (
        <label key={keyId} className={checkLineStyles.checkLine}>
          <input
            type="checkbox"
            checked={!keptKeyIds.has(keyId)}
            onChange={(event) => onKeep(keyId, !event.target.checked)}
          />
          <span>
            Revoke <bdi>{bidiSafe(name)}</bdi>
            <small>
              <code>
                {firstCharacters}…{lastFour}
              </code>{' '}
              · {lastUsedAt ? `last used ${formatAgo(lastUsedAt, now)}` : 'never used'}
            </small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
