/** The server's metrics (Prometheus). Label values come from fixed lists, never from a request. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  readonly registry: Registry
  readonly requests: Histogram<'method' | 'route' | 'status'>
  readonly tokens: Counter<'grant' | 'result'>
  readonly passwordChecks: Counter<'result'>
  readonly pwnedPasswordChecks: Counter<'result'>
  readonly captchaChecks: Counter<'provider' | 'result'>
  readonly claimsScripts: Histogram<'token' | 'result'>
  readonly webhookAttempts: Counter<'result'>
  readonly dispatchAttempts: Counter<'kind' | 'result'>
  /** Registers a value that is read when the metrics are; it replaces one of the same name. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  /** Adds the metrics of the process itself: memory, event loop, garbage collection. */
  withProcess(): void
}

export const createMetrics = (): Metrics => {
  const registry = new Registry()
  const registers = [registry]
  return {
    registry,
    requests: new Histogram({
      name: 'countersign_http_request_duration_seconds',
      help: 'Time from the request to the end of its response',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    tokens: new Counter({
      name: 'countersign_token_requests_total',
      help: 'Token requests by grant and result',
      labelNames: ['grant', 'result'],
      registers,
    }),
    passwordChecks: new Counter({
      name: 'countersign_password_checks_total',
      help: 'Passwords that users sent, by result',
      labelNames: ['result'],
      registers,
    }),
    pwnedPasswordChecks: new Counter({
      name: 'countersign_pwned_password_checks_total',
      help: 'New passwords looked up in the list of breached ones by result',
      labelNames: ['result'],
      registers,
    }),
    captchaChecks: new Counter({
      name: 'countersign_captcha_checks_total',
      help: 'Captchas that browsers brought, by provider and result',
      labelNames: ['provider', 'result'],
      registers,
    }),
    claimsScripts: new Histogram({
      name: 'countersign_claims_script_duration_seconds',
      help: 'Time that a token waits for its custom claims script, queued and running',
      labelNames: ['token', 'result'],
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1],
      registers,
    }),
    webhookAttempts: new Counter({
      name: 'countersign_webhook_attempts_total',
      help: 'Attempts to deliver an event to a hook, by result',
      labelNames: ['result'],
      registers,
    }),
    dispatchAttempts: new Counter({
      name: 'countersign_dispatch_attempts_total',
      help: 'Attempts to send mail and logout tokens, by result',
      labelNames: ['kind', 'result'],
      registers,
    }),
    gauge(name, help, read) {
      registry.removeSingleMetric(name)
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          this.set(await read())
        },
      })
    },
    withProcess: () => collectDefaultMetrics({ register: registry }),
  }
}
