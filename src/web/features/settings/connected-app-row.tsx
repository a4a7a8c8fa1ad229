import { BadgeCheck } from 'lucide-react'
import type { ConnectedApp } from '../../../contract/connected-app.ts'
import { formatCalendarDay } from '../../lib/dates.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { permissionsOf } from '../../lib/scope-permissions.ts'
import { formatAgo, formatFullDate } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Icon } from '../../ui/icon.tsx'
import recordsStyles from '../../ui/records.module.css'
import styles from './connected-apps.module.css'

type Props = { app: ConnectedApp; isYours: boolean; onDisconnect: () => void }

export function ConnectedAppRow({ app, isYours, onDisconnect }: Props) {
  const now = useNow()
  const { name, address, isVerified, connectedBy, connectedAt, lastUsedAt, endsAt } = app
  return (
    <li>
      <span className={styles.tile} aria-hidden="true">
        {[...escapeBidi(name)][0]?.toUpperCase()}
      </span>
      <div className={recordsStyles.who}>
        <strong>
          <bdi>{bidiSafe(name)}</bdi>
          <code>{address}</code>
          {isVerified && (
            <span className="chip">
              <Icon of={BadgeCheck} /> Verified address
            </span>
          )}
        </strong>
        <span>
          {permissionsOf(app.scopes).join(' · ')}
          {!isYours && (
            <>
              {' '}
              · connected by <bdi title={connectedBy.email}>{bidiSafe(connectedBy.name)}</bdi>
            </>
          )}
        </span>
        <span>
          Connected{' '}
          <time dateTime={connectedAt} title={formatFullDate(connectedAt)}>
            {formatCalendarDay(connectedAt)}
          </time>{' '}
          ·{' '}
          {lastUsedAt ? (
            <time dateTime={lastUsedAt} title={formatFullDate(lastUsedAt)}>
              last used {formatAgo(lastUsedAt, now)}
            </time>
          ) : (
            'never used'
          )}{' '}
          · access ends{' '}
          <time dateTime={endsAt} title={formatFullDate(endsAt)}>
            {formatCalendarDay(endsAt)}
          </time>{' '}
          if not used
        </span>
      </div>
      <span className={recordsStyles.rowAct}>
        <button
          type="button"
          className="btn small danger"
          aria-label={`Disconnect ${escapeBidi(name)}`}
          onClick={onDisconnect}
        >
          Disconnect
        </button>
      </span>
    </li>
  )
}
