-- What an application that is told of answers (the ping mode of OpenID CIBA) is told, and the token that shows it who tells: sealed.
ALTER TABLE backchannel_requests ADD COLUMN sealed_ping bytea;
