CREATE TABLE "built_blobs" (
	"repo_id" text COLLATE "C" NOT NULL,
	"sha256" text COLLATE "C" NOT NULL,
	"size" bigint NOT NULL,
	"body" "bytea",
	"git_oid" text COLLATE "C",
	CONSTRAINT "built_blobs_repo_id_sha256_pk" PRIMARY KEY("repo_id","sha256")
);
--> statement-breakpoint
CREATE TABLE "ollama_keys" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"public_key" text COLLATE "C" NOT NULL,
	"fingerprint" text COLLATE "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "ollama_nonces" (
	"digest" text COLLATE "C" PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "built_blobs" ADD CONSTRAINT "built_blobs_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "ollama_keys_fingerprint" ON "ollama_keys" USING btree ("fingerprint");--> statement-breakpoint
CREATE INDEX "ollama_keys_user" ON "ollama_keys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "ollama_nonces_expires" ON "ollama_nonces" USING btree ("expires_at");