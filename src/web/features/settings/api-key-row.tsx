import { Ban, Clock, Lock, RefreshCw } from 'lucide-react'
import type { ApiKey } from '../../../contract/api-key.ts'
import { formatTimeAndYear } from '../../lib/dates.ts'
import { displayName } from '../../lib/display-name.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { formatAgo, formatFullDate } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Icon } from '../../ui/icon.tsx'
import recordsStyles from '../../ui/records.module.css'
import styles from './api-key-row.module.css'
import { describeLimits, describeScopes } from './key-scopes.ts'

type Props = { apiKey: ApiKey; onRotate: () => void; onRevoke: () => void }

const unusedAfterDays = 90
const dayMilliseconds = 86_400_000

export function ApiKeyRow({ apiKey, onRotate, onRevoke }: Props) {
  const now = useNow()
  const { name, createdAt, lastUsedAt, expiresAt, revokedAt, oldSecretUntil } = apiKey
  const scopeLimits = describeScopes(apiKey.scopes)
  const keyLimits = describeLimits(apiKey)
  const isExpired = expiresAt !== undefined && Date.parse(expiresAt) <= now
  const isInactive = revokedAt !== undefined || isExpired
  const isUnused =
    !isInactive && now - Date.parse(lastUsedAt ?? createdAt) > unusedAfterDays * dayMilliseconds
  return (
    <li className={isInactive ? styles.inactive : undefined}>
      <div className={recordsStyles.who}>
        <strong>
          <bdi>{bidiSafe(name)}</bdi>
          <code>
            {apiKey.firstCharacters}…{apiKey.lastFour}
          </code>
          {scopeLimits && !isInactive && (
            <span className="chip">
              <Icon of={Lock} /> {scopeLimits}
            </span>
          )}
          {revokedAt && (
            <span className="chip">
              <Icon of={Ban} /> Revoked {formatAgo(revokedAt, now)}
            </span>
          )}
          {isExpired && !revokedAt && (
            <span className="chip">
              <Icon of={Clock} /> Expired
            </span>
          )}
          {apiKey.exceedsMaxLifetime && !isInactive && (
            <span
              className="chip warn"
              title="Valid for longer than this workspace allows for new keys. Rotate it to shorten its lifetime."
            >
              <Icon of={Clock} /> Exceeds the longest lifetime
            </span>
          )}
          {oldSecretUntil && !isInactive && (
            <span className="chip warn">
              <Icon of={RefreshCw} /> Old secret valid until {formatTimeAndYear(oldSecretUntil, now)}
            </span>
          )}
        </strong>
        <span>
          Created{' '}
          <time dateTime={createdAt} title={formatFullDate(createdAt)}>
            {formatAgo(createdAt, now)}
          </time>{' '}
          by{' '}
          <bdi>
            {bidiSafe(
              apiKey.createdBy === 'service' ? 'an operator (command line)' : displayName(apiKey.createdBy),
            )}
          </bdi>{' '}
          ·{' '}
          {lastUsedAt ? (
            <time dateTime={lastUsedAt} title={formatFullDate(lastUsedAt)}>
              last used {formatAgo(lastUsedAt, now)}
            </time>
          ) : (
            'never used'
          )}
          {expiresAt && !isInactive && <> · expires {formatTimeAndYear(expiresAt, now)}</>}
        </span>
        {keyLimits && !isInactive && <span>Limited to {bidiSafe(keyLimits)}</span>}
        {isUnused && <span>Not used for {unusedAfterDays} days. Revoke it if no agent needs it.</span>}
      </div>
      {!isInactive && (
        <span className={recordsStyles.rowAct}>
          <button
            type="button"
            className="btn quiet"
            aria-label={`Rotate ${escapeBidi(name)}`}
            onClick={onRotate}
          >
            Rotate
          </button>
          <button
            type="button"
            className="btn quiet"
            aria-label={`Revoke ${escapeBidi(name)}`}
            onClick={onRevoke}
          >
            Revoke
          </button>
        </span>
      )}
    </li>
  )
}
