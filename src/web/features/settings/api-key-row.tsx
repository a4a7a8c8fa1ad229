import { Ban, Clock, Lock, RefreshCw } from 'lucide-react'
import type { ApiKey } from '../../../contract/workspace.ts'
import { plain } from '../../lib/plain-text.ts'
import { ago, clock, fullDate } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import { who } from '../../lib/who.ts'
import { Icon } from '../../ui/icon.tsx'
import recordsStyles from '../../ui/records.module.css'
import { visible } from '../../ui/visible-text.tsx'
import styles from './api-key-row.module.css'
import { describeScopes } from './key-scopes.ts'

type Props = { apiKey: ApiKey; onRotate: () => void; onRevoke: () => void }

const unusedAfterDays = 90
const dayMilliseconds = 86_400_000

export function ApiKeyRow({ apiKey, onRotate, onRevoke }: Props) {
  const now = useNow()
  const { name, createdAt, lastUsedAt, expiresAt, revokedAt, oldSecretUntil } = apiKey
  const scopeLimits = describeScopes(apiKey.scopes)
  const isExpired = expiresAt !== undefined && Date.parse(expiresAt) <= now
  const isInactive = revokedAt !== undefined || isExpired
  const isUnused =
    !isInactive && now - Date.parse(lastUsedAt ?? createdAt) > unusedAfterDays * dayMilliseconds
  return (
    <li className={isInactive ? styles.over : undefined}>
      <div className={recordsStyles.who}>
        <strong>
          <bdi>{visible(name)}</bdi>
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
              <Icon of={Ban} /> Revoked {ago(revokedAt, now)}
            </span>
          )}
          {isExpired && !revokedAt && (
            <span className="chip">
              <Icon of={Clock} /> Expired
            </span>
          )}
          {oldSecretUntil && !isInactive && (
            <span className="chip warn">
              <Icon of={RefreshCw} /> Old secret valid until {clock(oldSecretUntil, now)}
            </span>
          )}
        </strong>
        <span>
          Created <time title={fullDate(createdAt)}>{ago(createdAt, now)}</time> by{' '}
          <bdi>{visible(apiKey.createdBy === 'service' ? 'the service' : who(apiKey.createdBy))}</bdi> ·{' '}
          {lastUsedAt ? (
            <time title={fullDate(lastUsedAt)}>last used {ago(lastUsedAt, now)}</time>
          ) : (
            'never used'
          )}
          {expiresAt && !isInactive && <> · expires {clock(expiresAt, now)}</>}
        </span>
        {isUnused && <span>Not used for {unusedAfterDays} days. Revoke it if no agent needs it.</span>}
      </div>
      {!isInactive && (
        <span className={recordsStyles.rowAct}>
          <button type="button" className="btn quiet" aria-label={`Rotate ${plain(name)}`} onClick={onRotate}>
            Rotate
          </button>
          <button type="button" className="btn quiet" aria-label={`Revoke ${plain(name)}`} onClick={onRevoke}>
            Revoke
          </button>
        </span>
      )}
    </li>
  )
}
