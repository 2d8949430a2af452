-- Passwords that an operator has declared expired, whatever their age.
ALTER TABLE users ADD COLUMN is_password_expired boolean NOT NULL DEFAULT false;
