CREATE TABLE "card_texts" (
	"repo_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"readme" text COLLATE "C",
	"version" integer NOT NULL,
	"words" text COLLATE "C" NOT NULL,
	"text" text COLLATE "C" NOT NULL,
	-- By hand, as the index of it.
	"words_vector" tsvector GENERATED ALWAYS AS (to_tsvector('simple'::regconfig, "words")) STORED
);
--> statement-breakpoint
ALTER TABLE "card_texts" ADD CONSTRAINT "card_texts_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "card_texts_index" ON "card_texts" USING gin ("words_vector");
