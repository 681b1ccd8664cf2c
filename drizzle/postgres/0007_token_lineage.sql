CREATE TABLE "known_networks" (
	"user_id" text COLLATE "C" NOT NULL,
	"network" text COLLATE "C" NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "known_networks_user_id_network_pk" PRIMARY KEY("user_id","network")
);
--> statement-breakpoint
ALTER TABLE "device_logins" ADD COLUMN "network" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "device_logins" ADD COLUMN "token_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "tokens" ADD COLUMN "parent_id" text COLLATE "C";--> statement-breakpoint
CREATE INDEX "known_networks_last" ON "known_networks" USING btree ("last_at");--> statement-breakpoint
CREATE INDEX "device_logins_network" ON "device_logins" USING btree ("network");--> statement-breakpoint
CREATE INDEX "tokens_parent" ON "tokens" USING btree ("parent_id");